package io.weir.internal.body;

import io.weir.InvalidRequestException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A media type with its parameters. Parses only what all readers understand in the same way: tokens
 * and quoted texts without escapes, no parameter twice.
 *
 * @param type type and subtype, in lower case
 * @param parameters values by names in lower case
 */
record ContentType(String type, Map<String, String> parameters) {
  private static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
  private static final Pattern TYPE = Pattern.compile("(" + TOKEN + "/" + TOKEN + ")[ \t]*");

  /** Without an asterisk, by which only some readers take it for an encoded or divided one. */
  private static final String NAME = TOKEN.replace("*", "");

  private static final Pattern PARAMETER =
      Pattern.compile(
          ";[ \t]*(?:(" + NAME + ")=(?:(" + TOKEN + ")|\"([^\"\\\\\\p{Cntrl}]*)\")[ \t]*)?");

  /** Charsets in which the ASCII characters that structure a form are single bytes. */
  private static final Set<Charset> OF_FORMS =
      Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  private static final String CHARSET = "charset";

  /**
   * Parses the header field.
   *
   * @param lines the values of its lines
   * @return empty if there is none
   * @throws InvalidRequestException if it is malformed, or there are several
   */
  static Optional<ContentType> of(List<String> lines) {
    if (lines.isEmpty() || lines.size() == 1 && lines.get(0).isEmpty()) {
      return Optional.empty();
    }
    Matcher type = TYPE.matcher(lines.get(0));
    if (lines.size() > 1 || !type.lookingAt()) {
      throw malformed();
    }
    return Optional.of(
        new ContentType(
            type.group(1).toLowerCase(Locale.ROOT),
            parameters(lines.get(0).substring(type.end()))));
  }

  /** Parses parameters, each after a semicolon. */
  static Map<String, String> parameters(String text) {
    Map<String, String> found = new HashMap<>();
    Matcher each = PARAMETER.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!each.find(at) || each.start() != at) {
        throw malformed();
      }
      at = each.end();
      if (each.group(1) != null) {
        String value = each.group(2) != null ? each.group(2) : each.group(3);
        if (found.put(each.group(1).toLowerCase(Locale.ROOT), value) != null) {
          throw malformed();
        }
      }
    }
    return Map.copyOf(found);
  }

  private static InvalidRequestException malformed() {
    return new InvalidRequestException("The Content-Type is malformed.");
  }

  boolean isForm() {
    return type.equals("application/x-www-form-urlencoded");
  }

  boolean isMultipart() {
    return type.equals("multipart/form-data");
  }

  boolean isJson() {
    return type.equals("application/json")
        || type.equals("text/json")
        || type.startsWith("application/") && type.endsWith("+json");
  }

  /**
   * Returns the charset of form fields.
   *
   * @param encoding that of the framework, which takes precedence
   * @throws InvalidRequestException if it is unknown, or isn't one of forms
   */
  Charset ofForm(Optional<String> encoding) {
    return ofForm(encoding, StandardCharsets.UTF_8);
  }

  /** Does as {@link #ofForm(Optional)} with another charset for forms that name none. */
  Charset ofForm(Optional<String> encoding, Charset usual) {
    Charset charset =
        encoding
            .or(() -> Optional.ofNullable(parameters.get(CHARSET)))
            .map(ContentType::charset)
            .orElse(usual);
    if (!OF_FORMS.contains(charset) && !charset.name().startsWith("windows-125")) {
      throw unknownCharset();
    }
    return charset;
  }

  /** Refuses another charset than UTF-8, where only some readers go by the parameter. */
  void requireUtf8() {
    String named = parameters.get(CHARSET);
    if (named != null && !Set.of("UTF-8", "US-ASCII").contains(charset(named).name())) {
      throw unknownCharset();
    }
  }

  private static Charset charset(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      throw unknownCharset();
    }
  }

  private static InvalidRequestException unknownCharset() {
    return new InvalidRequestException("The charset of the body can't be read.");
  }
}
