package io.weir.internal.value;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes the queries of addresses, the parameters behind their {@code ?}. Stateless. */
public final class UrlQuery {
  private UrlQuery() {}

  /**
   * Removes parameters by their names, in their case of letters. A driver that is given some of
   * them as properties would prefer those of the address.
   */
  public static String without(String url, Set<String> names) {
    int query = url.indexOf('?');
    return query < 0
        ? url
        : url.substring(0, query + 1)
            + Arrays.stream(url.substring(query + 1).split("&"))
                .filter(each -> !names.contains(each.split("=", 2)[0]))
                .collect(Collectors.joining("&"));
  }
}
