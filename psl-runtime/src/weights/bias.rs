//! The bias of a register, whose components are all equal but for a few.

/// The d components that a bias adds to a register. Memory grows with the components that differ from most.
#[derive(Clone, Debug, PartialEq)]
pub struct Bias {
    dimension: usize,
    /// 1 if more than half of the components are ones, else 0.
    most: f32,
    /// The other components, ascending.
    others: Vec<(u32, f32)>,
}

impl Bias {
    /// Components that are all equal to `most`, 0 or 1, but for those of `others`, which are all equal.
    pub(super) fn filled(dimension: usize, most: f32, others: impl IntoIterator<Item = u32>, other: f32) -> Self {
        let mut others: Vec<(u32, f32)> = others.into_iter().map(|component| (component, other)).collect();
        others.sort_unstable_by_key(|(component, _)| *component);
        others.dedup();
        let bias = Self { dimension, most, others };
        if bias.others.len() * 2 < dimension { bias } else { Self::of(&bias.dense()) }
    }

    /// The bias with these components.
    #[allow(clippy::float_cmp, reason = "ones are exact")]
    pub fn of(components: &[f32]) -> Self {
        let ones = components.iter().filter(|component| **component == 1.0).count();
        let most = if ones * 2 > components.len() { 1.0 } else { 0.0 };
        let others = (0..).zip(components.iter().copied()).filter(|(_, component)| *component != most);
        Self { dimension: components.len(), most, others: others.collect() }
    }

    /// The number of components.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// A component.
    pub fn get(&self, component: u32) -> f32 {
        let found = self.others.binary_search_by_key(&component, |(component, _)| *component);
        found.ok().and_then(|at| self.others.get(at)).map_or(self.most, |(_, other)| *other)
    }

    /// The components that differ from a value, ascending.
    #[allow(clippy::float_cmp, reason = "zeros and ones are exact")]
    pub fn other_than(&self, value: f32) -> impl Iterator<Item = (u32, f32)> {
        let all = if self.most == value { 0..0 } else { 0..self.dimension as u32 };
        let few = if self.most == value { self.others.as_slice() } else { &[] };
        let components = all.map(|component| (component, self.get(component)));
        few.iter().copied().chain(components).filter(move |(_, component)| *component != value)
    }

    /// The components that are neither 0 nor 1, ascending.
    #[allow(clippy::float_cmp, reason = "zeros and ones are exact")]
    pub(super) fn odd(&self) -> impl Iterator<Item = (u32, f32)> {
        self.others.iter().copied().filter(|(_, component)| *component != 0.0 && *component != 1.0)
    }

    /// The number of ones.
    #[allow(clippy::float_cmp, reason = "ones are exact")]
    pub(super) fn ones(&self) -> usize {
        let ones = self.others.iter().filter(|(_, component)| *component == 1.0).count();
        if self.most == 1.0 { self.dimension - self.others.len() } else { ones }
    }

    /// All components.
    pub fn dense(&self) -> Vec<f32> {
        let mut dense = Vec::with_capacity(self.dimension);
        self.add_to(&mut dense);
        dense
    }

    /// Adds all components to the end of a list.
    pub(crate) fn add_to(&self, list: &mut Vec<f32>) {
        let start = list.len();
        list.resize(start + self.dimension, self.most);
        for (component, other) in &self.others {
            if let Some(place) = list.get_mut(start + *component as usize) {
                *place = *other;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "zeros, ones and halves are exact")]
mod tests {
    use super::*;

    #[test]
    fn components_are_kept_in_one_way() {
        for components in [&[][..], &[0.0], &[1.0], &[0.0, 1.0], &[1.0, 1.0, 0.0], &[0.5, 1.0, 1.0, 0.0, 1.0]] {
            let bias = Bias::of(components);
            assert_eq!(bias.dense(), components);
            let single: Vec<f32> = (0..components.len() as u32).map(|component| bias.get(component)).collect();
            assert_eq!(single, components);
            for value in [0.0, 1.0, 0.5] {
                let differ = (0..).zip(components.iter().copied()).filter(|(_, component)| *component != value);
                assert!(bias.other_than(value).eq(differ), "{components:?}, {value}");
            }
        }
        assert_eq!(Bias::filled(3, 0.0, [2, 0, 2], 1.0), Bias::of(&[1.0, 0.0, 1.0]));
        assert_eq!(Bias::filled(5, 1.0, [3], 0.0), Bias::of(&[1.0, 1.0, 1.0, 0.0, 1.0]));
    }
}
