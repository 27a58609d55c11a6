package io.weir.internal.body;

import io.weir.InvalidRequestException;
import io.weir.adapter.FormPart;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes {@code multipart/form-data} as browsers and clients of .NET send it. Whatever readers
 * understand in different ways is malformed: a preamble, bare line feeds, folded or repeated header
 * fields, escapes and encoded words in names, transfer encodings.
 *
 * <p>Confine to one thread.
 */
final class MultipartDecoder {
  /** A quoted text, or a token of characters that no reader takes for the end of one. */
  private static final String VALUE = "(?:\"(%s)\"|([A-Za-z0-9_.-]+))";

  private static final Pattern DISPOSITION =
      Pattern.compile(
          "form-data;[ ]?name="
              + VALUE.formatted("[^\"\\\\\\p{Cntrl}]+")
              + "(?:;[ ]?filename="
              + VALUE.formatted("[^\"\\\\\\p{Cntrl}]*")
              + ")?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern HEADER = Pattern.compile("([A-Za-z0-9-]+):[ \t]*([^\\p{Cntrl}]*)");
  private static final Pattern BOUNDARY =
      Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");
  private static final Set<String> PLAIN = Set.of("7bit", "8bit", "binary");
  private static final byte[] LINE_END = {'\r', '\n'};

  private final byte[] body;
  private final byte[] boundary;
  private final byte[] delimiter;
  private final Charset charset;
  private int at;

  private MultipartDecoder(byte[] body, String boundary, Charset charset) {
    this.body = body;
    this.boundary = ("--" + boundary).getBytes(StandardCharsets.US_ASCII);
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    this.charset = charset;
  }

  /**
   * Decodes a body.
   *
   * @param charset that of texts
   * @throws InvalidRequestException if it is malformed
   */
  static List<FormPart> parts(byte[] body, ContentType type, Charset charset) {
    String boundary = type.parameters().getOrDefault("boundary", "");
    if (!BOUNDARY.matcher(boundary).matches()) {
      throw malformed();
    }
    type.requireUtf8();
    return new MultipartDecoder(body, boundary, charset).parts();
  }

  /** Returns whether a lenient reader, which skips any preamble, finds parts. */
  static boolean hasDelimiter(byte[] body, ContentType type) {
    String boundary = type.parameters().getOrDefault("boundary", "");
    return type.isMultipart()
        && new String(body, StandardCharsets.ISO_8859_1).contains("--" + boundary);
  }

  private List<FormPart> parts() {
    List<FormPart> parts = new ArrayList<>();
    // The first delimiter lacks the line end before it.
    if (!Arrays.equals(
        body, 0, Math.min(body.length, delimiter.length - 2), delimiter, 2, delimiter.length)) {
      throw malformed();
    }
    at = delimiter.length - 2;
    while (!skip(new byte[] {'-', '-'})) {
      require(LINE_END);
      parts.add(part());
    }
    if (at < body.length) {
      require(LINE_END);
    }
    if (at < body.length) {
      throw malformed();
    }
    return parts;
  }

  private FormPart part() {
    Map<String, List<String>> headers = headers();
    int end = find(delimiter);
    if (find(boundary) < end) { // after a mere line feed, say, which some readers take for enough
      throw malformed();
    }
    byte[] content = Arrays.copyOfRange(body, at, end);
    at = end + delimiter.length;
    Matcher disposition =
        DISPOSITION.matcher(headers.getOrDefault("content-disposition", List.of("")).get(0));
    List<String> encoding = headers.getOrDefault("content-transfer-encoding", List.of());
    if (!disposition.matches()) {
      throw malformed();
    }
    String name = value(disposition, 1).orElseThrow();
    if (name.contains("=?") // an encoded word, which only some decode
        || !encoding.isEmpty() && !PLAIN.contains(encoding.get(0).toLowerCase(Locale.ROOT))) {
      throw malformed();
    }
    Optional<String> fileName = value(disposition, 3);
    // A file may have any bytes; it is no value of a key.
    String text =
        fileName.isPresent()
            ? new String(content, charset)
            : text(content, ContentType.of(headers.getOrDefault("content-type", List.of())));
    return new FormPart(name, fileName, headers, content, text);
  }

  private static Optional<String> value(Matcher disposition, int quoted) {
    return Optional.ofNullable(disposition.group(quoted))
        .or(() -> Optional.ofNullable(disposition.group(quoted + 1)));
  }

  /** Refuses a text that is another one in the charset of its part: not all readers go by that. */
  private String text(byte[] content, Optional<ContentType> type) {
    String text = StrictText.of(content, 0, content.length, charset);
    Charset own = type.map(each -> each.ofForm(Optional.empty(), charset)).orElse(charset);
    if (!own.equals(charset) && !StrictText.of(content, 0, content.length, own).equals(text)) {
      throw malformed();
    }
    return text;
  }

  private Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    while (!skip(LINE_END)) {
      int end = find(LINE_END);
      Matcher header = HEADER.matcher(StrictText.of(body, at, end, charset));
      at = end + LINE_END.length;
      if (!header.matches()
          || headers.put(header.group(1).toLowerCase(Locale.ROOT), List.of(header.group(2)))
              != null) {
        throw malformed();
      }
    }
    return headers;
  }

  private boolean skip(byte[] expected) {
    boolean isNext =
        at + expected.length <= body.length
            && Arrays.equals(body, at, at + expected.length, expected, 0, expected.length);
    if (isNext) {
      at += expected.length;
    }
    return isNext;
  }

  private void require(byte[] expected) {
    if (!skip(expected)) {
      throw malformed();
    }
  }

  private int find(byte[] wanted) {
    for (int from = at; from + wanted.length <= body.length; from++) {
      if (Arrays.equals(body, from, from + wanted.length, wanted, 0, wanted.length)) {
        return from;
      }
    }
    throw malformed();
  }

  private static InvalidRequestException malformed() {
    return new InvalidRequestException("The multipart form in the body is malformed.");
  }
}
