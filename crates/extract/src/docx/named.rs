//! Names in the order in which they are first met.

use std::collections::HashMap;

/// Each name once.
#[derive(Debug, Default)]
pub(super) struct Named {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Named {
    /// The place of `name`, from 0: the next one when it is new.
    pub(super) fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}
