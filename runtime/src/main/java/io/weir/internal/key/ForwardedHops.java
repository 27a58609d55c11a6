package io.weir.internal.key;

import io.weir.internal.settings.Settings;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The hops that a forwarding header names, from the last one to the first.
 *
 * <p>Each proxy appends the address that it saw, so only the right end can be trusted; a client may
 * have written anything on the left. So quotes are paired from the right as well: a quote that a
 * client left open can't swallow what a proxy appended.
 *
 * <p>Looks at no more than {@value #MOST_HOPS} hops and {@value #MOST_CHARACTERS} characters, each
 * character a fixed number of times.
 *
 * <p>Confine to one thread.
 */
final class ForwardedHops {
  /** The header that is read: {@code weir.proxy.header}. */
  enum Header {
    X_FORWARDED_FOR("X-Forwarded-For") {
      @Override
      Optional<String> node(String element) {
        return Optional.of(withoutQuotes(withoutBlanks(element)));
      }
    },
    FORWARDED("Forwarded") {
      @Override
      Optional<String> node(String element) {
        return ForwardedElement.node(element);
      }
    };

    private static final String SETTING = "weir.proxy.header";

    private final String field;

    Header(String field) {
      this.field = field;
    }

    /** What an element says of its hop; nothing if it can't be read. */
    abstract Optional<String> node(String element);

    static Header of(Settings settings) {
      String field = settings.text(SETTING, X_FORWARDED_FOR.field);
      for (Header header : values()) {
        if (header.field.toLowerCase(Locale.ROOT).equals(field.toLowerCase(Locale.ROOT))) {
          return header;
        }
      }
      throw settings.invalid(SETTING, "must be X-Forwarded-For or Forwarded");
    }

    String field() {
      return field;
    }

    ForwardedHops hops(RequestInfo request) {
      return new ForwardedHops(request.headers(field), this);
    }
  }

  private static final int MOST_HOPS = 64;
  private static final int MOST_CHARACTERS = 8192;

  private final List<? extends CharSequence> lines;
  private final Header header;
  private int linesLeft;
  private CharSequence line = "";
  private int end;
  private boolean lineDone = true;
  private int hopsLeft = MOST_HOPS;
  private int charactersLeft = MOST_CHARACTERS;

  ForwardedHops(List<? extends CharSequence> lines, Header header) {
    this.lines = lines;
    this.linesLeft = lines.size();
    this.header = header;
  }

  /** The next hop to the left; nothing at the end and where it can't be read: the walk is over. */
  Optional<String> next() {
    if (hopsLeft == 0 || lineDone && !previousLine()) {
      return Optional.empty();
    }
    hopsLeft--;
    int start = elementStart(Math.max(0, end - charactersLeft));
    boolean whole = start == 0 || line.charAt(start - 1) == ',';
    Optional<String> hop =
        whole ? header.node(line.subSequence(start, end).toString()) : Optional.empty();
    charactersLeft -= end - start;
    lineDone = start == 0;
    end = start - 1;
    return hop;
  }

  private boolean previousLine() {
    if (linesLeft == 0) {
      return false;
    }
    line = lines.get(--linesLeft);
    end = line.length();
    return true;
  }

  /** Just right of the nearest comma outside of quotes; the floor if there is none. */
  private int elementStart(int floor) {
    int at = end;
    while (at > floor) {
      char c = line.charAt(at - 1);
      if (c == ',') {
        return at;
      }
      at = c == '"' ? quotedStart(at - 1, floor) : at - 1;
    }
    return floor;
  }

  /** Where the quoted string that ends here opens; the floor if it never does. */
  private int quotedStart(int close, int floor) {
    int at = close;
    while (at > floor) {
      at--;
      if (line.charAt(at) == '"' && !isEscaped(at, floor)) {
        return at;
      }
    }
    return floor;
  }

  private boolean isEscaped(int quote, int floor) {
    int at = quote;
    while (at > floor && line.charAt(at - 1) == '\\') {
      at--;
    }
    return (quote - at) % 2 == 1;
  }

  /** X-Forwarded-For has no grammar of its own; some proxies quote IPv6 as Forwarded wants it. */
  private static String withoutQuotes(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static String withoutBlanks(String element) {
    int start = 0;
    int end = element.length();
    while (start < end && isBlank(element.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(element.charAt(end - 1))) {
      end--;
    }
    return element.substring(start, end);
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
