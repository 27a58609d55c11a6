package io.weir.internal.control.json;

import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.util.List;

/** Writes the path of a value in a document, such as {@code rules[3].limit}. */
final class FieldPath {
  /** The path of the document itself. */
  static final String WHOLE = "body";

  private FieldPath() {}

  static String joined(String outer, String inner) {
    if (outer.isEmpty() || outer.equals(WHOLE)) {
      return inner;
    }
    if (inner.isEmpty() || inner.equals(WHOLE)) {
      return outer;
    }
    return inner.startsWith("[") ? outer + inner : outer + "." + inner;
  }

  static String of(List<Reference> path) {
    String all = WHOLE;
    for (Reference each : path) {
      String name = each.getFieldName();
      all = joined(all, name == null ? "[" + each.getIndex() + "]" : name);
    }
    return all;
  }
}
