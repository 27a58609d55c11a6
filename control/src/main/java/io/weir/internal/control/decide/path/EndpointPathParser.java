package io.weir.internal.control.decide.path;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.rules.database.StorableText;
import java.util.List;

/**
 * Reads the endpoint of a request that another program serves: a path as the client spelled it. No
 * spelling may lead to other rules here than to handlers there. So a path that servers read in
 * several ways has several readings, and a path that is dangerous in any of them is rejected.
 */
public final class EndpointPathParser {
  private static final String FIELD = "endpoint";
  private static final String POLICY = "policy:";
  private static final String ENCODING =
      "must use % only before two hexadecimal digits, and encode UTF-8";
  private static final int MAX_LENGTH = 8_192;

  private EndpointPathParser() {}

  /**
   * Reads an endpoint in every way in which a server may read it.
   *
   * @param written a path, perhaps with a query; or {@code policy:NAME}
   * @return at least one reading and at most eight, decoded, without query and without a slash at
   *     the end; {@code policy:NAME} as it is
   * @throws InvalidFieldException if it is neither, if it has dot segments or a malformed encoding,
   *     or if there are more readings
   */
  public static List<String> readings(String written) {
    if (written.length() > MAX_LENGTH) {
      throw new InvalidFieldException(FIELD, "must have at most " + MAX_LENGTH + " characters");
    }
    if (!StorableText.is(written)) {
      throw new InvalidFieldException(FIELD, StorableText.RULE);
    }
    if (written.startsWith(POLICY)) {
      return List.of(written);
    }
    if (!written.startsWith("/")) {
      throw new InvalidFieldException(FIELD, "must begin with / or " + POLICY);
    }
    int query = written.indexOf('?');
    String path = query < 0 ? written : written.substring(0, query);
    if (path.indexOf('#') >= 0) {
      throw new InvalidFieldException(FIELD, "must encode # as %23 in the path");
    }
    if (!PercentDecoder.isWellFormed(path)) {
      throw new InvalidFieldException(FIELD, ENCODING);
    }
    if (DotSegmentDetector.areIn(path)) {
      throw new InvalidFieldException(
          FIELD, "must have no . or .. segments, in any encoding and after any kind of slash");
    }
    return PathInterpretations.of(path)
        .orElseThrow(
            () ->
                new InvalidFieldException(
                    FIELD,
                    "must be readable in at most "
                        + PathInterpretations.MAX_READINGS
                        + " ways: leave out encoded slashes and letters, backslashes,"
                        + " semicolons and empty segments"));
  }
}
