//! Enums whose variants have one fixed name in journals, plan files, flags and tables.

/// A name that no variant has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not one of {}", .known.join(", "))]
pub struct UnknownName {
    /// The name that was given.
    pub found: String,
    /// The names of all variants, in order of declaration.
    pub known: Vec<&'static str>,
}

/// Declares an enum of unit variants that have one text each, and names the method that returns it: `ALL` has every
/// variant.
#[macro_export]
macro_rules! texts {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident: $method:ident {
            $($(#[$variant_meta:meta])* $Variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $Name { $($(#[$variant_meta])* $Variant,)+ }

        impl $Name {
            /// Every variant, in order of declaration.
            $vis const ALL: [$Name; [$($text),+].len()] = [$($Name::$Variant),+];

            /// The text of the variant.
            $vis const fn $method(self) -> &'static str {
                match self { $($Name::$Variant => $text,)+ }
            }
        }
    };
}

/// The same for texts that are names and are read back: `name`, `Display`, `FromStr` and serde all use the one
/// spelling.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident { $($(#[$variant_meta:meta])* $Variant:ident = $text:literal,)+ }
    ) => {
        $crate::texts! {
            $(#[$meta])*
            #[derive(serde::Serialize, serde::Deserialize)]
            $vis enum $Name: name {
                $($(#[$variant_meta])* #[serde(rename = $text)] $Variant = $text,)+
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                // Not `write_str`, which would ignore the width of a format.
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $Name {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<$Name, $crate::UnknownName> {
                $Name::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    $crate::UnknownName {
                        found: text.to_owned(),
                        known: $Name::ALL.map($Name::name).into(),
                    }
                })
            }
        }
    };
}

/// The same for names in journals that also have a label, for sentences and table headings. The label documents the
/// variant.
macro_rules! labelled {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident {
            $($Variant:ident = $text:literal, $label:literal;)+
        }
    ) => {
        $crate::named! {
            $(#[$meta])*
            #[derive(schemars::JsonSchema)]
            pub enum $Name { $(#[doc = $label] $Variant = $text,)+ }
        }

        impl $Name {
            /// The label in a sentence or a table heading.
            pub const fn label(self) -> &'static str {
                match self { $($Name::$Variant => $label,)+ }
            }
        }
    };
}
pub(crate) use labelled;

#[cfg(test)]
mod tests {
    use crate::schema::{Event, Mark, Order, RecordKind, RegimeKind, Search, Stage};

    #[test]
    fn every_name_is_read_back_as_its_variant_and_serde_spells_it_alike() {
        macro_rules! check {
            ($($Name:ty),+) => {$(
                for one in <$Name>::ALL {
                    assert_eq!(one.name().parse::<$Name>(), Ok(one));
                    let json = serde_json::to_string(&one).expect("a name");
                    assert_eq!(json, format!("{:?}", one.name()));
                }
            )+};
        }
        check!(Event, Mark, Order, RecordKind, RegimeKind, Search, Stage);
    }

    #[test]
    fn an_unknown_name_is_reported_with_the_known_ones() {
        let error = "everything".parse::<Stage>().expect_err("no stage").to_string();
        assert_eq!(error, "`everything` is not one of all, captures, quiets");
    }
}
