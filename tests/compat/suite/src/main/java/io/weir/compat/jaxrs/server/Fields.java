package io.weir.compat.jaxrs.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/** Reads structured fields with an independent parser. */
public final class Fields {
  private Fields() {}

  /** Returns the names in a list of strings. */
  public static List<String> names(String field) {
    return Parser.parseList(field).get().stream().map(each -> each.get().toString()).toList();
  }

  /** Returns a number that is a parameter of the first item. */
  public static long parameter(String field, String name) {
    ListElement<?> first = Parser.parseList(field).get().get(0);
    return Long.parseLong(Objects.requireNonNull(first.getParams().get(name)).get().toString());
  }

  /** Returns a number that each item of a list has as a parameter, by the item's name. */
  public static Map<String, Long> numbers(String field, String parameter) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (ListElement<?> each : Parser.parseList(field).get()) {
      Object number = Objects.requireNonNull(each.getParams().get(parameter)).get();
      numbers.put(each.get().toString(), (Long) number);
    }
    return numbers;
  }
}
