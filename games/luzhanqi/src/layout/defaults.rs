//! Layouts to begin with, made for this program.

use kiban_core::LayoutSpec;

/// Each by its 25 letters, front rank first.
pub(crate) const LAYOUTS: &[LayoutSpec] = &[
    LayoutSpec { id: "steady", name: "Steady", text: "dhcebgfakicdfkegjijhilhgj" },
    LayoutSpec { id: "eagle", name: "Eagle", text: "acebdhkfdigcekfgjihjhlgij" },
    LayoutSpec { id: "left-wing", name: "Left wing", text: "bcdhiaefkdgckfeghijjilhjg" },
    LayoutSpec { id: "right-wing", name: "Right wing", text: "ihdcbfeacgdkefkjjihggjhli" },
    LayoutSpec { id: "ambush", name: "Ambush", text: "edhfidckabcgkfejgijihjhlg" },
    LayoutSpec { id: "storm", name: "Storm", text: "bdacdckiekfegfhijhgjhlgij" },
    LayoutSpec { id: "fortress", name: "Fortress", text: "dfaeckbegckdfhiighjighjlj" },
    LayoutSpec { id: "open-gate", name: "Open gate", text: "cebdgfafdkckeigihgjihljhj" },
    LayoutSpec { id: "spear", name: "Spear", text: "adgcfbkeceihdkgfjhihjljgi" },
    LayoutSpec { id: "shield", name: "Shield", text: "edfdgckcafebgkghijihijhlj" },
    LayoutSpec { id: "lure", name: "Lure", text: "chdgedkbefcgkafijhighljij" },
    LayoutSpec { id: "swarm", name: "Swarm", text: "ecgdfibidkkcfaehghjighjlj" },
];
