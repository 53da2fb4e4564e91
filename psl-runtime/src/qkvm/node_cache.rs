//! The keys and values that layers and blocks keep.

use super::{keys::Keys, nodes::Node};

/// The keys and values that a layer or a block keeps.
#[derive(Clone, Debug)]
pub(super) enum NodeCache {
    /// Head by head.
    Layer(Vec<Keys>),
    Repeat {
        /// The caches of the body, pass by pass.
        passes: Vec<Vec<NodeCache>>,
        /// The number of passes before the new cells.
        before: usize,
    },
}

/// The caches before the first cell.
pub(super) fn empty_caches(nodes: &[Node<'_>]) -> Vec<NodeCache> {
    let empty = |node: &Node<'_>| match node {
        Node::Layer(layer) => NodeCache::Layer(layer.heads.iter().map(|_| Keys::default()).collect()),
        Node::Repeat(_) => NodeCache::Repeat { passes: Vec::new(), before: 0 },
    };
    nodes.iter().map(empty).collect()
}

impl NodeCache {
    /// The number of values.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Layer(keys) => keys.iter().map(Keys::len).sum(),
            Self::Repeat { passes, .. } => passes.iter().flatten().map(Self::len).sum(),
        }
    }

    /// The cache of the first `cells` cells, before the new ones were added.
    pub(super) fn of_first(&self, cells: usize) -> Self {
        match self {
            Self::Layer(keys) => Self::Layer(keys.iter().map(|keys| keys.of_first(cells)).collect()),
            Self::Repeat { passes, before } => {
                let of_first = |pass: &Vec<Self>| pass.iter().map(|cache| cache.of_first(cells)).collect();
                Self::Repeat { passes: passes.iter().take(*before).map(of_first).collect(), before: *before }
            }
        }
    }
}
