package io.weir.quarkus.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The parts of a request that a filter may change, and that keys may be read from, as they were at
 * one place.
 *
 * @param fields the lines of header fields, a name and a value by turns
 * @param queries the parameters of the query in the same way
 */
record SentRequest(
    LimitedResource resource,
    String method,
    String path,
    List<String> fields,
    List<String> queries) {

  /** Notes a request; of one that nothing limits only what may find its limits. */
  static SentRequest of(LimitedResource resource, RequestView view, boolean isLimited) {
    return new SentRequest(
        resource,
        view.method(),
        view.path(),
        isLimited ? pairs(view::eachField) : List.of(),
        isLimited ? pairs(view::eachQuery) : List.of());
  }

  private static List<String> pairs(Consumer<BiConsumer<String, String>> values) {
    List<String> pairs = new ArrayList<>();
    values.accept(
        (name, value) -> {
          pairs.add(name);
          pairs.add(value);
        });
    return pairs;
  }

  /** Returns whether a request asks for the same, so that it has the same keys. Copies nothing. */
  boolean isSame(LimitedResource found, RequestView view, boolean isLimited) {
    return resource == found
        && method.equals(view.method())
        && path.equals(view.path())
        && (!isLimited || isSame(fields, view::eachField) && isSame(queries, view::eachQuery));
  }

  private static boolean isSame(List<String> pairs, Consumer<BiConsumer<String, String>> values) {
    InOrder inOrder = new InOrder(pairs);
    values.accept(inOrder);
    if (inOrder.isSame()) {
      return true;
    }
    ByName byName = new ByName(pairs);
    values.accept(byName);
    return byName.isSame();
  }

  /** Compares as the server has brought them, which is the usual case. */
  private static final class InOrder implements BiConsumer<String, String> {
    private final List<String> pairs;
    private int at;
    private boolean differs;

    InOrder(List<String> pairs) {
      this.pairs = pairs;
    }

    @Override
    public void accept(String name, String value) {
      differs =
          differs
              || at >= pairs.size()
              || !Objects.equals(pairs.get(at), name)
              || !Objects.equals(pairs.get(at + 1), value);
      at += 2;
    }

    boolean isSame() {
      return !differs && at == pairs.size();
    }
  }

  /** Compares the values of each name in their order, without regard to the case of names. */
  private static final class ByName implements BiConsumer<String, String> {
    private final Map<String, List<String>> left = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private boolean differs;

    ByName(List<String> pairs) {
      for (int i = 0; i < pairs.size(); i += 2) {
        left.computeIfAbsent(pairs.get(i), name -> new ArrayList<>()).add(pairs.get(i + 1));
      }
    }

    @Override
    public void accept(String name, String value) {
      List<String> values = left.getOrDefault(name, List.of());
      differs = differs || values.isEmpty() || !Objects.equals(values.remove(0), value);
    }

    boolean isSame() {
      return !differs && left.values().stream().allMatch(List::isEmpty);
    }
  }
}
