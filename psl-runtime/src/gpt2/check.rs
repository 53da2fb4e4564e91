//! The check of the tokens: each follows one that it can follow in a prompt with its continuation, and the copies of a
//! prompt are equal. A sequence that the tokenizer does not make, such as one without the start, ends visibly.

use super::{
    attention::{Attention, Weighting},
    block::BlockBuilder,
    cells::Cells,
    ends::End,
    layout::{Block, Kind},
};

impl Cells<'_> {
    /// The start is at the first place, and nowhere else.
    pub fn check_start(&self, block: &mut BlockBuilder) {
        let (start, first) = (self.layout.kind(Kind::Start), self.layout.cycle.start);
        self.unless(block, &[&[start]], &[first], 1);
        // Without the start, layers that do not fire attend to anything. This reason is stronger than what they make of
        // it.
        self.ends_unless(block, &[&[first]], &[start], 1, 4.0);
    }

    /// Each token reads what can follow the one before, and in which copy of the prompt that is if there are several.
    pub fn check(&self, block: &mut BlockBuilder) {
        let Self { layout, plan, .. } = *self;
        let mut before = Attention::new(layout, Weighting::Rightmost);
        // The nearest place that has the turn before in the cycle is the one before.
        let turns: Vec<usize> = layout.cycle.range().skip(1).collect();
        let holds = |query: usize| (0..turns.len()).map(|key| (key + 1) % turns.len() == query).collect();
        before.condition(&(0..turns.len()).map(holds).collect::<Vec<_>>(), &turns, &turns, &[]);
        let length = plan.cell.len();
        let symbol = layout.write.start;
        let cell = |index: usize| symbol + 1 + index % length;
        let separator = cell(length - 1) + 1;
        let opening = if plan.copies > 0 { Kind::Separator } else { Kind::Start };
        let mut read = vec![(opening, symbol), (Kind::Prompt, symbol), (Kind::Last, cell(0))];
        read.extend((0..length).map(|index| (Kind::Cell(index), cell(index + 1))));
        read.extend((plan.copies > 0).then_some((Kind::Start, separator)));
        for (kind, slot) in read {
            before.read(layout.kind(kind), slot, 1.0);
        }
        let copy = |copy: usize| separator + 1 + copy;
        let copies = layout.copies.range().enumerate().filter(|_| plan.copies > 0);
        copies.clone().for_each(|(offset, component)| before.read(component, copy(offset), 1.0));
        block.ones += if plan.copies > 0 { 2 } else { 1 };
        (symbol..symbol + self.check_reads()).for_each(|component| block.clear(component));
        block.attentions.push(before);

        self.unless(block, &[&layout.symbols()], &[symbol], 1);
        for index in 0..length {
            let own = [layout.kind(Kind::Cell(index))];
            if index == 0 && plan.copies > 0 {
                self.unless(block, &[&own], &[cell(0), copy(plan.copies), copy(plan.copies + 1)], 2);
            } else {
                self.unless(block, &[&own], &[cell(index)], 1);
            }
        }
        for number in (0..=plan.copies).filter(|_| plan.copies > 0) {
            let own: [&[usize]; 2] = [&[layout.kind(Kind::Separator)], &[layout.copy(number)]];
            match number.checked_sub(1) {
                None => self.unless(block, &own, &[separator], 1),
                Some(before) => self.unless(block, &own, &[cell(0), copy(before)], 2),
            }
            // Layers read cells alone.
            block.all_of(&own, &[(layout.copy(number), -1.0), (layout.copies.last(), 1.0)]);
        }
    }

    /// The number of components of `write` that tokens read for it.
    pub fn check_reads(&self) -> usize {
        let copies = if self.plan.copies > 0 { 1 + self.layout.copies.length } else { 0 };
        1 + self.plan.cell.len() + copies
    }

    /// Each symbol of a later copy of the prompt looks for the same one at the same position of the copy before.
    pub fn check_copies(&self, block: &mut BlockBuilder) {
        let Self { layout, plan, source, .. } = *self;
        let mut like = Attention::new(layout, Weighting::Rightmost);
        let copies: Vec<usize> = (0..=plan.copies).map(|copy| layout.copy(copy)).collect();
        let of_copy = |query: usize| copies.iter().enumerate().map(|(key, _)| key + 1 == query).collect();
        like.condition(&(0..copies.len()).map(of_copy).collect::<Vec<_>>(), &copies, &copies, &[]);
        let symbols = layout.symbols();
        like.condition(&identity(symbols.len()), &symbols, &symbols, &[]);
        same(&mut like, self.positions_of_cells());
        let symbol = source.registers.roles.symbol.and_then(|register| layout.registers.get(register.0 as usize));
        same(&mut like, symbol.map(Vec::as_slice).unwrap_or_default());
        let found = layout.write.start + self.check_reads();
        like.read_constant(found);
        like.read(layout.kind(Kind::Start), found + 1, 1.0);
        block.attentions.push(like);
        block.ones += 1;
        self.unless(block, &[&symbols, copies.get(1..).unwrap_or_default()], &[found], 1);
        block.clear(found);
        block.clear(found + 1);
    }

    fn unless(&self, block: &mut BlockBuilder, groups: &[&[usize]], permit: &[usize], needed: usize) {
        self.ends_unless(block, groups, permit, needed, 1.0);
    }

    /// Ends the continuation at a token that has one component of each group, unless `needed` of those that permit it
    /// are 1. A reason that is known already stays.
    fn ends_unless(&self, block: &mut BlockBuilder, groups: &[&[usize]], permit: &[usize], needed: usize, weight: f64) {
        let much = 4.0 * needed as f64;
        let own = groups.iter().copied().flatten().copied().chain([self.layout.no_end()]);
        let own = own.map(|component| (component, much));
        let input: Vec<_> = own.chain(permit.iter().map(|component| (*component, -4.0))).collect();
        block.step(&input, -much * groups.len() as f64 - 1.5, &self.end(End::NotAPrompt, weight));
    }
}

fn identity(size: usize) -> Vec<Vec<bool>> {
    (0..size).map(|row| (0..size).map(|column| row == column).collect()).collect()
}

/// Adds the condition that both cells have the same value in some parts.
fn same(attention: &mut Attention, parts: &[Block]) {
    match parts {
        [] => {}
        [part] => {
            let components: Vec<usize> = (part.start..part.last()).collect();
            attention.condition(&identity(components.len()), &components, &components, &[]);
        }
        parts => {
            let of_part = |part: &Block| (part.start..part.last()).zip(0..).collect();
            let components: Vec<Vec<(usize, usize)>> = parts.iter().map(of_part).collect();
            let lengths: Vec<usize> = parts.iter().map(|part| part.length - 1).collect();
            attention.compare(&components, &components, &lengths, &[]);
        }
    }
}
