// Shared by the library and by build.rs: the one place where characters are listed. To add one, add
// it here; the build stops if the face lacks it.

/// The characters that have an outline, by the place where they are used. A character may stand in
/// several lines.
pub const CHARACTERS: &[&str] = &[
    // Shogi pieces: one and two characters ("飛", "飛車"; "王將" with 將 as on carved pieces, for the
    // face has 将 only in its Chinese shape), promoted ones, the marks of the two players.
    "王玉飛角金銀桂香歩龍馬全圭杏と竜成將車行兵☗☖",
    // Figures of coordinates and counts.
    "0123456789abcdefghij一二三四五六七八九十",
    // Jungle: animals, dens and traps.
    "象狮獅虎豹狼狗猫鼠兽穴陷阱",
    // Luzhanqi: pieces, simplified and traditional, and the words on the board.
    "司令军軍长長师師旅团團营營连連排工兵地雷炸弹彈旗帅",
    "行营大本营山界前线",
];
