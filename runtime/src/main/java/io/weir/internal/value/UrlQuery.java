package io.weir.internal.value;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes the queries of addresses, the parameters behind their {@code ?}. Stateless. */
public final class UrlQuery {
  private UrlQuery() {}

  /**
   * Removes parameters. A driver that is given some of them as properties would prefer those of the
   * address.
   *
   * @param url an address, with a query or without
   * @param names the names of the parameters, in their case of letters
   * @return the address without them
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
