package io.weir.internal.rules.rulebook.pattern;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the values of the patterns that match an endpoint, segment by segment: however many
 * patterns there are, only those that begin like the endpoint are looked at.
 *
 * <p>Safe for concurrent use once all is added.
 *
 * @param <T> the type of the values
 */
public final class PatternIndex<T> {
  private final Node<T> root = new Node<>();

  /** Segments beyond the deepest pattern are of no interest. */
  private int deepest;

  private static final class Node<T> {
    final Map<String, Node<T>> next = new HashMap<>();
    final List<T> here = new ArrayList<>(0);
    final List<T> below = new ArrayList<>(0);
  }

  public void add(EndpointPattern pattern, T found) {
    Node<T> node = root;
    for (String segment : pattern.segments()) {
      node = node.next.computeIfAbsent(segment, any -> new Node<>());
    }
    (pattern.hasRest() ? node.below : node.here).add(found);
    deepest = Math.max(deepest, pattern.segments().size());
  }

  /**
   * Finds what matches an endpoint.
   *
   * @param endpoint a template or a path; what doesn't begin with a slash matches nothing
   * @return in no order; a list of the caller's own
   */
  public List<T> find(EndpointForm form, String endpoint) {
    List<T> found = new ArrayList<>();
    if (endpoint.startsWith("/")) {
      collect(root, EndpointPattern.split(form, endpoint, deepest + 1), 0, found);
    }
    return found;
  }

  private static <T> void collect(Node<T> node, List<String> segments, int at, List<T> found) {
    found.addAll(node.below);
    if (at == segments.size()) {
      found.addAll(node.here);
      return;
    }
    String segment = segments.get(at);
    Node<T> literal = segment.equals(EndpointPattern.VARIABLE) ? null : node.next.get(segment);
    if (literal != null) {
      collect(literal, segments, at + 1, found);
    }
    Node<T> variable = node.next.get(EndpointPattern.VARIABLE);
    if (variable != null) {
      collect(variable, segments, at + 1, found);
    }
  }
}
