//! GNU butterfly tables (Sandström, 1989).
