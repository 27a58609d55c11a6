package io.weir.internal.control.json;

import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.util.List;

/** How the place of a value in a document is written: {@code rules[3].limit}. */
final class FieldPath {
  /** The document itself. */
  static final String WHOLE = "body";

  private FieldPath() {}

  /** The place of a value inside of another one. */
  static String joined(String place, String field) {
    if (place.isEmpty() || place.equals(WHOLE)) {
      return field;
    }
    if (field.isEmpty() || field.equals(WHOLE)) {
      return place;
    }
    return field.startsWith("[") ? place + field : place + "." + field;
  }

  /** As Jackson tells it. */
  static String of(List<Reference> path) {
    String all = WHOLE;
    for (Reference each : path) {
      String name = each.getFieldName();
      all = joined(all, name == null ? "[" + each.getIndex() + "]" : name);
    }
    return all;
  }
}
