//! The blocks that are not layers of the program: which cell a token stands for, and what follows it.

use super::{
    attention::{Attention, Side, Weighting},
    block::{BlockBuilder, EPSILON, moments},
    encodings::ValueEncoding,
    ends::End,
    layout::{Block, Kind, Layout},
    plan::Plan,
    precision::Precision,
    source::Source,
};

/// The scores of the layer that counts: others are this far, in nats.
const COUNT: f64 = 64.0;

/// The parts of a plan that these blocks depend on.
pub struct Cells<'a> {
    pub source: &'a Source<'a>,
    pub plan: &'a Plan<'a>,
    pub layout: &'a Layout,
    pub encodings: &'a [ValueEncoding],
    /// The format with the fewest digits in which the model is right.
    pub digits: Precision,
}

impl Cells<'_> {
    /// The attention of tokens of some kinds to tokens of another.
    fn kinds(&self, queries: &[usize], key: usize) -> Attention {
        let mut attention = Attention::new(self.layout, Weighting::Rightmost);
        attention.condition(&vec![vec![true]; queries.len()], queries, &[key], &[]);
        attention
    }

    /// Each token of the prompt takes the number of the nearest separator.
    pub fn copy(&self) -> BlockBuilder {
        let Self { layout, plan, .. } = *self;
        let mut attention = self.kinds(&layout.symbols(), layout.kind(Kind::Separator));
        let mut block = BlockBuilder::default();
        block.ones = 1;
        let (write, nothing) = (layout.write.start, layout.copies.last());
        let none = write + plan.copies + 1;
        for copy in 0..=plan.copies {
            let read = write + copy;
            attention.read(layout.copy(copy), read, 1.0);
            block.step(&[(read, 4.0)], -1.5, &[(layout.copy(copy), 1.0), (nothing, -1.0), (read, -1.0)]);
        }
        attention.read(layout.kind(Kind::Start), none, 1.0);
        block.step(&[(none, 4.0)], -1.5, &[(none, -1.0)]);
        block.attentions.push(attention);
        block
    }

    /// A generated cell takes registers from its tokens, by their index in the cell.
    pub fn load(&self, loaded: &[usize]) -> BlockBuilder {
        let Self { layout, plan, .. } = *self;
        let mut block = BlockBuilder::default();
        for &index in loaded {
            let mut attention = self.kinds(&[layout.master()], layout.kind(Kind::Cell(index)));
            let register = plan.cell.get(index).and_then(|register| layout.registers.get(*register));
            for part in register.into_iter().flatten() {
                for value in part.start..part.last() {
                    attention.read(value, value, 1.0);
                    attention.read(value, part.last(), -1.0);
                }
            }
            block.attentions.push(attention);
        }
        block
    }

    /// Each cell takes its position.
    pub fn positions(&self, block: &mut BlockBuilder, width: usize) {
        if self.plan.copies > 0 {
            self.count(block, width);
        } else {
            self.place_to_position(block);
        }
    }

    /// The parts of the position of a cell.
    pub fn positions_of_cells(&self) -> &[Block] {
        let register = self.plan.position.and_then(|register| self.layout.registers.get(register));
        register.map_or(&self.layout.places, Vec::as_slice)
    }

    /// The components that set a position in a cell without one.
    fn position(&self, position: usize) -> Vec<(usize, f64)> {
        let parts = self.positions_of_cells();
        let Some(encoding) = self.encoding_of(position) else { return Vec::new() };
        let values = parts.iter().zip(encoding).map(|(part, value)| (part.start + value, 1.0));
        values.chain(parts.iter().map(|part| (part.last(), -1.0))).collect()
    }

    /// The components that set a reason to end, where there is none.
    pub fn end(&self, end: End, weight: f64) -> [(usize, f64); 2] {
        [(self.layout.end(end), weight), (self.layout.no_end(), -weight)]
    }

    /// With one copy of the prompt, the place in the sequence is the position.
    fn place_to_position(&self, block: &mut BlockBuilder) {
        let Self { layout, plan, source, .. } = *self;
        let (symbols, cells) = (layout.symbols(), layout.cells());
        let kinds: &[usize] = if plan.is_plain() { &cells } else { &symbols };
        let registers = plan.position.and_then(|register| layout.registers.get(register));
        for (part, place) in registers.into_iter().flatten().zip(&layout.places) {
            for (value, place) in (part.start..part.last()).zip(place.start..) {
                block.all_of(&[&[place], kinds], &[(value, 1.0), (part.last(), -1.0)]);
            }
        }
        let beyond = self.at_place(source.bounds.prompt + 1);
        let mut groups: Vec<&[usize]> = beyond.chunks(1).collect();
        let no_end = [layout.no_end()];
        groups.extend([symbols.as_slice(), &no_end]);
        block.all_of(&groups, &self.end(End::PromptTooLong, 1.0));
    }

    /// The encoding of a position, or `None` beyond the last one.
    fn encoding_of(&self, position: usize) -> Option<Vec<usize>> {
        match self.plan.position.and_then(|register| self.encodings.get(register)) {
            Some(encoding) => position.checked_sub(1).and_then(|index| encoding.of.get(index)).cloned(),
            None => (1..=self.source.bounds.prompt + 1)
                .contains(&position)
                .then(|| self.layout.places.iter().map(|block| position % (block.length - 1)).collect()),
        }
    }

    /// The components of a place in the sequence, in the encoding of positions. They are null beyond the last position.
    fn at_place(&self, place: usize) -> Vec<usize> {
        let blocks = self.layout.places.iter();
        match self.encoding_of(place) {
            Some(encoding) => blocks.zip(encoding).map(|(block, part)| block.start + part).collect(),
            None => blocks.map(|block| block.last()).collect(),
        }
    }

    /// The components that the embedding of a place adds, of `length` places.
    pub fn place(&self, place: usize, length: usize) -> Vec<(usize, f64)> {
        let cycle = self.layout.cycle;
        let turn = if place == 0 { 0 } else { 1 + place % (cycle.length - 1) };
        let mut components = vec![(cycle.start + turn, 1.0)];
        if self.plan.copies == 0 {
            components.extend(self.at_place(place).into_iter().map(|component| (component, 1.0)));
        }
        let last = self.source.bounds.cells();
        if place + 1 == length || (self.plan.is_plain() && self.plan.copies == 0 && place > last) {
            components.extend(self.end(End::OutOfPositions, 1.0));
        }
        components
    }

    /// Each token of the prompt counts the tokens of its copy up to itself: the weight of the separator among n + 1
    /// tokens is 1 / (n + 1). Without other tokens in a generated cell, generated cells go on counting those of the
    /// last copy.
    fn count(&self, block: &mut BlockBuilder, width: usize) {
        let Self { layout, plan, source, .. } = *self;
        let mut attention = Attention::new(layout, Weighting::Uniform(COUNT));
        let copies: Vec<usize> = (0..=plan.copies).map(|copy| layout.copy(copy)).collect();
        let cells: Vec<usize> = copies.iter().copied().chain(plan.is_plain().then(|| layout.generated())).collect();
        let same = |one: usize, other: usize| one.min(plan.copies) == other.min(plan.copies);
        let row = |one: usize| (0..cells.len()).map(|other| same(one, other)).collect();
        attention.condition(&(0..cells.len()).map(row).collect::<Vec<_>>(), &cells, &cells, &[]);
        let (of_separator, of_others) = (layout.write.start, layout.write.start + 1);
        attention.read(layout.kind(Kind::Separator), of_separator, 1.0);
        layout.cells().into_iter().for_each(|kind| attention.read(kind, of_others, 1.0));
        attention.read(layout.kind(Kind::Start), of_separator, 1.0);
        block.attentions.push(attention);
        block.ones = 1;
        // The variance depends on the weight, and so do the values after the LayerNorm.
        let (mean, variance) = moments(layout, width, 1.0, 1.0);
        let gain = (variance + EPSILON).sqrt();
        let weight = |count: usize| 1.0 / (count as f64 + 1.0);
        let seen = |count: usize| {
            let part = weight(count);
            let (_, variance) = moments(layout, width, 1.0, part * part + (1.0 - part) * (1.0 - part));
            (part - mean) / (variance + EPSILON).sqrt() * gain + mean
        };
        let last = if plan.is_plain() { source.bounds.cells() } else { source.bounds.prompt };
        // 1 if the count is at most this.
        let at_most = |count: usize| {
            let (here, next) = (seen(count), seen(count + 1));
            let slope = 4.0 / (here - next);
            (slope, 0.5 - slope * f64::midpoint(here, next))
        };
        for count in 0..=last {
            let (slope, bias) = at_most(count);
            let step = weight(count) - weight(count + 1);
            let mut output = vec![(of_separator, -step), (of_others, step)];
            if count >= 1 {
                output.extend(self.position(count));
            }
            if count < last {
                output.extend(self.position(count + 1).into_iter().map(|(component, value)| (component, -value)));
            }
            block.step(&[(of_separator, slope)], bias, &output);
        }
        block.neuron_bias(of_separator, -weight(last + 1));
        block.neuron_bias(of_others, weight(last + 1) - 1.0);
        let (symbols, master) = (layout.symbols(), [layout.master()]);
        let mut ends = vec![(symbols.as_slice(), source.bounds.prompt, End::PromptTooLong)];
        if plan.is_plain() {
            ends.push((&master, last, End::OutOfPositions));
        }
        for (kinds, count, end) in ends {
            let (slope, bias) = at_most(count);
            // More than any count adds.
            let much = 8.0 + slope * seen(count);
            let kinds = kinds.iter().map(|kind| (*kind, much));
            let input: Vec<_> = [(of_separator, -slope), (layout.no_end(), much)].into_iter().chain(kinds).collect();
            block.step(&input, 1.0 - bias - 2.0 * much, &self.end(end, 1.0));
        }
    }

    /// All tokens add twice the registers of the last cell, so that tokens between cells have them, and cells keep
    /// their own. They also add the reason to end of any token.
    pub fn emit(&self) -> BlockBuilder {
        let layout = self.layout;
        let mut state = Attention::new(layout, Weighting::Rightmost);
        state.one_sided(Side::Key, &layout.cells().map(|component| (component, 1.0)), 1.0, &[]);
        for block in self.emitted() {
            block.range().for_each(|component| state.read(component, component, 2.0));
        }
        let mut end = Attention::new(layout, Weighting::Rightmost);
        let reasons = End::ALL.map(|end| layout.end(end));
        end.one_sided(Side::Key, &reasons.map(|component| (component, 1.0)), 1.0, &[]);
        for component in reasons {
            end.read(component, component, 2.0);
        }
        let mut block = BlockBuilder::default();
        block.attentions.extend([state, end]);
        self.need_digits(&mut block);
        block
    }

    /// Ends the continuation if an engine does not tell a number from the next one.
    fn need_digits(&self, block: &mut BlockBuilder) {
        let number = self.digits.told();
        let (one, other) = (self.layout.pad, self.layout.write.start);
        block.units = vec![one, other];
        // More than any other reason, since this one can be its cause.
        let end = self.end(End::Float32Needed, 16.0);
        for (component, value) in end {
            block.neuron_bias(component, value);
        }
        block.neuron(&[(one, number + 1.0), (other, -number)], 0.0, &end.map(|(component, value)| (component, -value)));
    }

    /// The parts of the registers that tokens of a cell tell.
    fn emitted(&self) -> impl Iterator<Item = &Block> {
        let mut registers = self.plan.cell.clone();
        registers.sort_unstable();
        registers.dedup();
        registers.into_iter().flat_map(|register| self.layout.registers.get(register).into_iter().flatten())
    }
}
