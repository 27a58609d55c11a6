package io.weir.internal.control.console;

import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Holds a file of the console, as it is and compressed. Immutable: no bytes leave the package. */
final class ConsoleFile {
  private static final String UTF_8 = "UTF-8";

  /** The media types by the end of a file's name; a name without a dot is that of a text. */
  private static final Map<String, MediaType> TYPES =
      Map.of(
          "html", MediaType.TEXT_HTML_TYPE.withCharset(UTF_8),
          "css", new MediaType("text", "css", UTF_8),
          "js", new MediaType("text", "javascript", UTF_8),
          "svg", new MediaType("image", "svg+xml", UTF_8),
          "json", MediaType.APPLICATION_JSON_TYPE,
          "txt", MediaType.TEXT_PLAIN_TYPE.withCharset(UTF_8),
          "", MediaType.TEXT_PLAIN_TYPE.withCharset(UTF_8),
          "png", new MediaType("image", "png"),
          "woff2", new MediaType("font", "woff2"));

  private static final int TAG_BYTES = 16;

  private final MediaType type;
  private final byte[] content;
  private final byte[] compressed;
  private final String hash;

  private ConsoleFile(MediaType type, byte[] content) {
    this.type = type;
    this.content = content;
    this.compressed = compress(content);
    this.hash = hash(content);
  }

  /**
   * Makes a file.
   *
   * @param name its path below the console's
   * @param content not copied
   * @throws IllegalArgumentException if the end of the name has no media type here
   */
  static ConsoleFile of(String name, byte[] content) {
    int dot = name.lastIndexOf('.');
    MediaType type = TYPES.get(dot > name.lastIndexOf('/') ? name.substring(dot + 1) : "");
    if (type == null) {
      throw new IllegalArgumentException(
          name + " has no media type; add its ending to those of ConsoleFile");
    }
    return new ConsoleFile(type, content);
  }

  private static byte[] compress(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  MediaType type() {
    return type;
  }

  /** Returns whether a client that takes gzip gets fewer bytes by it. */
  boolean isSmallerCompressed() {
    return compressed.length < content.length;
  }

  /** Returns the strong tag of one of the two forms, which differ byte for byte. */
  EntityTag tag(boolean isCompressed) {
    return new EntityTag(isCompressed ? hash + "-gzip" : hash);
  }

  byte[] bytes(boolean isCompressed) {
    return isCompressed ? compressed : content;
  }
}
