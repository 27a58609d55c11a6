package io.weir.internal.control.decide;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.rules.database.StorableText;
import java.util.List;

/**
 * Reads the endpoint of a request that somebody else serves: a path as the client spelled it. No
 * spelling may find other rules than the server finds a handler, so a path that servers read in
 * several ways has several readings, and one that they must not get is refused.
 */
public final class EndpointPath {
  private static final String FIELD = "endpoint";
  private static final String POLICY = "policy:";
  private static final String ENCODING = "must have % only before two hexadecimal digits of UTF-8";
  private static final int LONGEST = 8_192;

  private EndpointPath() {}

  /**
   * Reads an endpoint in all ways in which a server may.
   *
   * @param written a path, perhaps with a query; or {@code policy:NAME}
   * @return at least one reading and at most eight, decoded, without query and without a slash at
   *     the end; {@code policy:NAME} as it is
   * @throws InvalidFieldException if it is neither, if it has dot segments or a malformed encoding,
   *     or if there are more readings
   */
  public static List<String> readings(String written) {
    if (written.length() > LONGEST) {
      throw new InvalidFieldException(FIELD, "must have at most " + LONGEST + " characters");
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
      throw new InvalidFieldException(FIELD, "must have # in its path only as %23");
    }
    if (!PercentEncoding.isWellFormed(path)) {
      throw new InvalidFieldException(FIELD, ENCODING);
    }
    if (DotSegments.areIn(path)) {
      throw new InvalidFieldException(
          FIELD, "must have no segment . or .. in any spelling, whichever slash is before it");
    }
    return PathReadings.of(path)
        .orElseThrow(
            () ->
                new InvalidFieldException(
                    FIELD,
                    "must have at most "
                        + PathReadings.MOST
                        + " readings: leave out encoded slashes and letters, backslashes,"
                        + " semicolons or empty segments"));
  }
}
