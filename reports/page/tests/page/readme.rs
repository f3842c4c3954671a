//! The sentences of the README on its figures, against the stored pictures.

/// The sentences below the first picture of the README, which are written by hand.
#[test]
fn the_readme_says_what_its_first_figure_shows() {
    let readme =
        include_str!("../../../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let figure = include_str!("../../../../docs/sample/classes.svg");
    // The colour of a point and its ratio.
    let point = |condition: &str| {
        let start = format!("data-say=\"{condition} on square boards: ");
        let (before, designs_and_ratio) = figure.split_once(&start).expect(condition);
        let (_, ink) = before.rsplit_once("class=\"k-").expect("a bar");
        let (_, ratio) = designs_and_ratio.split_once(": ").expect("a ratio");
        (ink.split_once('"').expect("its end").0, ratio.split_once(" (").expect("its interval").0)
    };
    let few = ["K = 1", "K = 16", "K = 256", "K = 512", "K = 1,024"].map(point);
    assert!(few.iter().all(|&(ink, _)| ink == "branchy"), "{few:?}");
    let ratios = few.map(|(_, ratio)| ratio.parse::<f64>().expect("a number"));
    let low = ratios.into_iter().fold(f64::INFINITY, f64::min);
    let high = ratios.into_iter().fold(0.0, f64::max);
    let many = ["K = 2,048", "K = 4,096", "K = 65,536"].map(point);
    assert!(many.iter().all(|&(ink, _)| ink == "branchless"), "{many:?}");
    assert_eq!(point("game order").0, "axis");
    let [tree, captures, recorded] =
        ["tree order", "captures in tree order", "recorded search"].map(point);
    assert_eq!([tree.0, captures.0, recorded.0], ["branchy"; 3]);
    for said in [
        format!(
            "up to 1,024 of them the fastest branchless design takes {low:.1} to {high:.1} times as long."
        ),
        "From 2,048 positions on, branchless designs win.".to_owned(),
        format!(
            "where a position costs what an engine pays, the fastest branchless design takes {} times as long. If moves \
             are only generated, in tree order, it takes {} times as long, and for captures {} times.",
            recorded.1, tree.1, captures.1
        ),
        "In the order of games no difference is resolved.".to_owned(),
    ] {
        assert!(readme.contains(&said), "{said}");
    }
}

/// The sentences below the second picture.
#[test]
fn the_readme_says_what_its_second_figure_shows() {
    let readme =
        include_str!("../../../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let figure = include_str!("../../../../docs/sample/memorisation.svg");
    let cycles = |design: &str, k: &str| {
        let start = format!("data-say=\"{design}, K = {k}: ");
        figure.split_once(&start).expect(k).1.split_once(" cycles").expect("cycles").0
    };
    let branchy = |k| cycles("10x12 mailbox, unrolled", k);
    let [few, many] = ["1,024", "2,048"].map(branchy);
    let factor = |text: &str| text.parse::<f64>().expect("a number");
    assert!((3.1..3.5).contains(&(factor(many) / factor(few))), "more than triples");
    let ks = ["1", "16", "256", "512", "1,024", "2,048", "4,096", "65,536"];
    let mut flat = ks.map(|k| cycles("Byteboard", k));
    flat.sort_by(|one, other| factor(one).total_cmp(&factor(other)));
    for said in [
        format!("from {few} to {many} cycles"),
        format!("it stays between {} and {} cycles", flat[0], flat[flat.len() - 1]),
    ] {
        assert!(readme.contains(&said), "{said}");
    }
}
