//! Perceived difference of two colours, also under simulated colour blindness.
//!
//! Sources: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, *A Physiologically-based Model for Simulation of
//! Color Vision Deficiency*, 2009, matrices of full severity; the colour difference CIEDE2000, ISO/CIE 11664-6.

/// Kinds of vision, each with the matrix that simulates it on linear RGB.
const SEEN: [(&str, [[f64; 3]; 3]); 4] = [
    ("full colour vision", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// CIEDE2000 between two `#rrggbb` colours, for each kind of vision.
pub(super) fn differences(one: &str, other: &str) -> impl Iterator<Item = (&'static str, f64)> {
    let (one, other) = (linear(one), linear(other));
    SEEN.into_iter().map(move |(name, matrix)| {
        let seen = |rgb: [f64; 3]| lab(matrix.map(|row| (0..3).map(|n| row[n] * rgb[n]).sum()));
        (name, ciede2000(seen(one), seen(other)))
    })
}

fn linear(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("hex digits");
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    })
}

fn lab(rgb: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = rgb.map(|value: f64| value.clamp(0.0, 1.0));
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883;
    let [x, y, z] = [x, y, z].map(|value| {
        if value > 216.0 / 24389.0 { value.cbrt() } else { (24389.0 / 27.0 * value + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn ciede2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - seventh(f64::midpoint(a1.hypot(b1), a2.hypot(b2))));
    let (a1, a2) = ((1.0 + g) * a1, (1.0 + g) * a2);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let [h1, h2] = [(a1, b1), (a2, b2)].map(|(a, b)| b.atan2(a).to_degrees().rem_euclid(360.0));
    let turn = match h2 - h1 {
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let hue = 2.0 * (c1 * c2).sqrt() * (turn.to_radians() / 2.0).sin();
    let (l, c) = (f64::midpoint(l1, l2), f64::midpoint(c1, c2));
    let h = h1 + turn / 2.0;
    let cosine = |factor: f64, shift: f64| (factor * h + shift).to_radians().cos();
    let t = 1.0 - 0.17 * cosine(1.0, -30.0) + 0.24 * cosine(2.0, 0.0) + 0.32 * cosine(3.0, 6.0)
        - 0.2 * cosine(4.0, -63.0);
    let lightness = (l - 50.0).powi(2);
    let sl = 1.0 + 0.015 * lightness / (20.0 + lightness).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let rotation = 30.0 * (-((h.rem_euclid(360.0) - 275.0) / 25.0).powi(2)).exp();
    let rt = -(2.0 * rotation).to_radians().sin() * 2.0 * seventh(c);
    let (dl, dc, dh) = ((l2 - l1) / sl, (c2 - c1) / sc, hue / sh);
    (dl * dl + dc * dc + dh * dh + rt * dc * dh).sqrt()
}

/// Pairs 1, 7 and 17 of the test data of G. Sharma, W. Wu and E. N. Dalal, 2005.
#[test]
fn the_difference_is_that_of_the_published_pairs() {
    let pairs = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ];
    for (one, other, expected) in pairs {
        assert!((ciede2000(one, other) - expected).abs() < 1e-4, "{one:?} {other:?}");
    }
}
