//! Diep mask-skip lists (Diepeveen), a reconstruction.
