package io.weir.adapter;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads values that the client may have malformed, for implementations of {@code RequestInfo}. */
public final class RequestValues {
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "auth|cookie|key|token|secret|pass|pwd|credential|session|jwt|signature",
          Pattern.CASE_INSENSITIVE);

  private static final String X_FORWARDED = "X-Forwarded-";

  private RequestValues() {}

  /**
   * Reads one part of a request. Containers differ in what they throw for malformed input, and so
   * do principals: whatever it is, the part counts as missing.
   *
   * @param <T> the type of the part
   * @param reader reads the part from the framework's request
   * @return the part; empty if it is missing or can't be read
   */
  public static <T> Optional<T> read(Supplier<@Nullable T> reader) {
    try {
      return Optional.ofNullable(reader.get());
    } catch (RuntimeException | LinkageError malformed) {
      return Optional.empty();
    }
  }

  /**
   * Removes white space around the values of a header field: it isn't a part of a value (RFC 9110,
   * section 5.5), and not every container removes it.
   *
   * @param lines the values as a container returns them
   * @return the same list if there was nothing to remove
   */
  public static List<String> trim(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (!isBare(lines.get(i))) {
        return bare(lines);
      }
    }
    return lines;
  }

  /**
   * Returns whether a request may carry a credential, by the names of its header fields and of the
   * parameters in its query. A browser sends none with the {@code OPTIONS} by which it asks whether
   * a page of another origin may send the real request. An {@code OPTIONS} that no handler of the
   * application gets may be free only without any: else passwords could be tried by it without
   * limit, where a filter signs users in.
   *
   * @param headers the names of all header fields, in any case
   * @param query the query as sent; null if there is none
   * @return true also for a name that only looks like that of a credential
   */
  public static boolean mayCarryCredential(Collection<String> headers, @Nullable String query) {
    return headers.stream().anyMatch(RequestValues::mayNameCredential)
        || query != null && mayNameCredential(decoded(query));
  }

  /**
   * Returns whether an exception in the settings may leave a request out, by the names of its
   * header fields and of the parameters in its query. Cookies don't matter: they hold values that
   * the application has made and nobody can guess.
   *
   * @param headers the names of all header fields, in any case
   * @param query the query as sent; null if there is none
   * @return whether it has nothing that {@link #mayCarryCredential} takes for a credential, but
   *     cookies
   */
  public static boolean mayBeLeftOut(Collection<String> headers, @Nullable String query) {
    return !mayCarryCredential(
        headers.stream().filter(each -> !each.equalsIgnoreCase("Cookie")).toList(), query);
  }

  /**
   * Returns whether a path has the spelling that all readers understand in the same way: without
   * parameters of segments, dot segments and encoded slashes.
   *
   * @param sent the path within the application as it was sent
   * @param read the same path as the server has decoded and matched it
   * @return false if code that reads the path as it was sent may find another handler
   */
  public static boolean isPlain(String sent, String read) {
    return sent.equals(read)
        || decodedPath(sent).equals(read) && countSlashes(sent) == countSlashes(read);
  }

  /**
   * Finds the values of a parameter in a query of which every part counts by itself. Frameworks
   * drop the whole query for one malformed escape, and a caller could hide other parameters with
   * it.
   *
   * @param query as it was sent, without the question mark; null if there is none
   * @param name the decoded name
   * @return the values in order, decoded as UTF-8; what can't be decoded stays as it is
   */
  public static List<String> queries(@Nullable String query, String name) {
    return query == null
        ? List.of()
        : Stream.of(query.split("&"))
            .map(pair -> pair.split("=", 2))
            .filter(pair -> decodedOrSent(pair[0]).equals(name))
            .map(pair -> pair.length == 1 ? "" : decodedOrSent(pair[1]))
            .toList();
  }

  private static String decodedOrSent(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return text;
    }
  }

  /**
   * Returns whether a header field is one in which proxies report addresses: only what arrived from
   * the peer may count, not what a framework has made of it.
   *
   * @param name of the field, in any case
   * @return true for {@code Forwarded} and all that begin with {@code X-Forwarded-}
   */
  public static boolean isForwarded(String name) {
    return name.equalsIgnoreCase("Forwarded")
        || name.regionMatches(true, 0, X_FORWARDED, 0, X_FORWARDED.length());
  }

  private static String decodedPath(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return "";
    }
  }

  private static long countSlashes(String path) {
    return path.chars().filter(each -> each == '/').count();
  }

  /** Returns a text that may name a credential if the query can't be decoded. */
  private static String decoded(String query) {
    try {
      return URLDecoder.decode(query, StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException malformed) {
      return "key";
    }
  }

  private static boolean mayNameCredential(String text) {
    return CREDENTIAL.matcher(text).find();
  }

  private static List<String> bare(List<String> lines) {
    List<String> values = new ArrayList<>(lines.size());
    for (String line : lines) {
      values.add(bare(line));
    }
    return values;
  }

  private static boolean isBare(String line) {
    return line.isEmpty() || !isAround(line.charAt(0)) && !isAround(line.charAt(line.length() - 1));
  }

  private static String bare(String line) {
    int start = 0;
    int end = line.length();
    while (start < end && isAround(line.charAt(start))) {
      start++;
    }
    while (end > start && isAround(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(start, end);
  }

  /** Includes line ends, which a container may leave in a folded line. */
  private static boolean isAround(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
