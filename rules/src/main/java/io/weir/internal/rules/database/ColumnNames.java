package io.weir.internal.rules.database;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of a table's columns, in lower case and in their order.
 *
 * <p>Immutable.
 */
final class ColumnNames {
  private final List<String> names;
  private final Map<String, Integer> places = new HashMap<>();

  ColumnNames(Collection<String> names) {
    this.names = List.copyOf(names);
    for (String each : names) {
      places.put(each, places.size());
    }
  }

  /** Returns the place of a name; below zero if there is no such column. */
  int place(@Nullable Object name) {
    Integer place = places.get(name);
    return place == null ? -1 : place;
  }

  String name(int place) {
    return names.get(place);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || other instanceof ColumnNames that && names.equals(that.names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }
}
