package io.weir.internal.control.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The JSON body of a request: an object, or a list of them.
 *
 * <p>Immutable.
 */
public final class JsonBody {
  private final JsonNode tree;

  /**
   * Reads a body.
   *
   * @throws MalformedJsonException as {@link Json#parse} does
   */
  public JsonBody(byte[] utf8) {
    this.tree = Json.parse(utf8);
  }

  public boolean isList() {
    return tree.isArray();
  }

  /** Returns whether it is an object with a member, which may be null. */
  public boolean has(String member) {
    return tree.has(member);
  }

  /**
   * Reads the body as one value.
   *
   * @throws InvalidFieldException if something in it has the wrong type, or a record doesn't have
   *     one of the members
   */
  public <T> T as(Class<T> type) {
    return Json.bind(tree, type);
  }

  /**
   * Reads the body as one value, and ignores members that the record doesn't have: for programs,
   * which may be newer than the server.
   *
   * @throws InvalidFieldException if something in it has the wrong type
   */
  public <T> T asIgnoringUnknown(Class<T> type) {
    return Json.bindIgnoringUnknown(tree, type);
  }

  /**
   * Reads the body as a list, whose items are read one by one as by {@link #asIgnoringUnknown}.
   *
   * @return the items; each throws an {@link InvalidFieldException}, whose field begins with the
   *     item's index, if something in it has the wrong type
   * @throws InvalidFieldException if it isn't a list, or has too many items
   */
  public <T> List<Supplier<T>> asList(Class<T> type, int max) {
    if (!tree.isArray()) {
      throw new InvalidFieldException(FieldPath.WHOLE, "must be a list");
    }
    if (tree.size() > max) {
      throw new InvalidFieldException(FieldPath.WHOLE, "must have at most " + max + " items");
    }
    List<Supplier<T>> items = new ArrayList<>(tree.size());
    for (JsonNode each : tree) {
      String place = "[" + items.size() + "]";
      items.add(() -> item(each, type, place));
    }
    return items;
  }

  private static <T> T item(JsonNode node, Class<T> type, String place) {
    try {
      return Json.bindIgnoringUnknown(node, type);
    } catch (InvalidFieldException wrong) {
      throw wrong.in(place);
    }
  }
}
