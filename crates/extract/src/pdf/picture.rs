//! Pictures of pages.

/// A picture as PNG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub png: Vec<u8>,
}

impl Picture {
    /// `pixels` are RGBA, rows from the top; what shows through is white.
    pub(super) fn of(width: u32, height: u32, pixels: &[u8]) -> Option<Self> {
        // A page is opaque: three channels are a quarter less to carry.
        let opaque: Vec<u8> =
            pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&opaque).ok()?;
        writer.finish().ok()?;
        Some(Self { width, height, png: bytes })
    }
}
