//! Loops: strongly connected components, nested.
//!
//! Natural loops need a header that dominates the loop. LLVM enters some ray loops in two places, which
//! makes them irreducible, and natural loops would miss them. So a loop here is a strongly connected
//! component of blocks; the loops inside it are the components that remain without the edges to its
//! entries (Steensgaard 1993).

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// Blocks of the loop in ascending order.
    pub(crate) blocks: Vec<usize>,
    /// The blocks that are reached from outside; several if the loop is irreducible.
    pub(crate) entries: Vec<usize>,
    /// Whether it contains no other loop.
    pub(crate) innermost: bool,
    /// Number of loops around it.
    pub(crate) depth: usize,
}

impl Loop {
    pub(crate) fn contains(&self, block: usize) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// The loops of a graph, outer loops before those they contain. `successors[b]` are the blocks behind
/// block `b`; blocks that are not reached have no edges.
pub(crate) fn loops(successors: &[Vec<usize>]) -> Vec<Loop> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (block, next) in successors.iter().enumerate() {
        next.iter().for_each(|&next| predecessors[next].push(block));
    }
    let mut found = Vec::new();
    let all: Vec<usize> = (0..successors.len()).collect();
    nested(&predecessors, successors, &all, 0, &mut found);
    found
}

/// Finds the loops among `blocks` by the edges that are left. Returns whether there is one.
fn nested(
    predecessors: &[Vec<usize>],
    left: &[Vec<usize>],
    blocks: &[usize],
    depth: usize,
    found: &mut Vec<Loop>,
) -> bool {
    let components = components(left, blocks);
    for blocks in &components {
        let inside = |block: usize| blocks.binary_search(&block).is_ok();
        // The function is entered at block 0, which need not have a predecessor.
        let from_outside =
            |entry: usize| entry == 0 || predecessors[entry].iter().any(|&b| !inside(b));
        let entries: Vec<usize> = blocks.iter().copied().filter(|&b| from_outside(b)).collect();
        let mut without = vec![Vec::new(); left.len()];
        for &block in blocks {
            let keep = |next: &usize| inside(*next) && !entries.contains(next);
            without[block] = left[block].iter().copied().filter(keep).collect();
        }
        let place = found.len();
        found.push(Loop { blocks: blocks.clone(), entries, innermost: true, depth });
        found[place].innermost = !nested(predecessors, &without, blocks, depth + 1, found);
    }
    !components.is_empty()
}

/// The strongly connected components with an edge inside (Tarjan 1972, without recursion).
fn components(edges: &[Vec<usize>], blocks: &[usize]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut order = vec![NEW; edges.len()];
    let mut lowest = vec![NEW; edges.len()];
    let mut open = vec![false; edges.len()];
    let (mut stack, mut components, mut count) = (Vec::new(), Vec::new(), 0);
    for &root in blocks {
        if order[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((block, edge)) = path.pop() {
            if edge == 0 {
                (order[block], lowest[block]) = (count, count);
                count += 1;
                stack.push(block);
                open[block] = true;
            }
            if let Some(&next) = edges[block].get(edge) {
                path.push((block, edge + 1));
                if order[next] == NEW {
                    path.push((next, 0));
                } else if open[next] {
                    lowest[block] = lowest[block].min(order[next]);
                }
                continue;
            }
            if lowest[block] == order[block] {
                let first = stack.iter().rposition(|&b| b == block).expect("a block on the stack");
                let mut component = stack.split_off(first);
                component.iter().for_each(|&b| open[b] = false);
                // Sorted for the binary search of `contains`.
                component.sort_unstable();
                if component.len() > 1 || edges[block].contains(&block) {
                    components.push(component);
                }
            }
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[block]);
            }
        }
    }
    components.sort_unstable();
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(blocks: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut successors = vec![Vec::new(); blocks];
        edges.iter().for_each(|&(from, to)| successors[from].push(to));
        successors
    }

    fn found(blocks: usize, edges: &[(usize, usize)]) -> Vec<(Vec<usize>, Vec<usize>, bool)> {
        let loops = loops(&graph(blocks, edges));
        loops.into_iter().map(|one| (one.blocks, one.entries, one.innermost)).collect()
    }

    #[test]
    fn a_graph_without_a_cycle_has_no_loop() {
        assert_eq!(found(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), []);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_an_innermost_loop() {
        assert_eq!(found(3, &[(0, 1), (1, 1), (1, 2)]), [(vec![1], vec![1], true)]);
    }

    #[test]
    fn a_loop_in_a_loop_is_nested() {
        let edges = [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)];
        assert_eq!(found(5, &edges), [(vec![1, 2, 3], vec![1], false), (vec![2], vec![2], true)]);
        assert_eq!(loops(&graph(5, &edges))[1].depth, 1);
    }

    #[test]
    fn two_loops_side_by_side_lie_in_the_loop_around_them() {
        let edges = [(0, 1), (1, 1), (1, 2), (2, 3), (3, 2), (3, 1), (3, 4)];
        let expected =
            [(vec![1, 2, 3], vec![1], false), (vec![2, 3], vec![2], true)].map(Some).to_vec();
        // The iteration of block 1 alone is not told from the outer loop, because both enter at block 1.
        assert_eq!(found(5, &edges).into_iter().map(Some).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_irreducible_loop_has_two_entries() {
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)];
        assert_eq!(found(4, &edges), [(vec![1, 2], vec![1, 2], true)]);
    }

    #[test]
    fn a_loop_inside_an_irreducible_one_is_found() {
        let edges = [(0, 1), (0, 3), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)];
        let expected = [(vec![1, 2, 3], vec![1, 3], false), (vec![2], vec![2], true)];
        assert_eq!(found(5, &edges), expected);
    }
}
