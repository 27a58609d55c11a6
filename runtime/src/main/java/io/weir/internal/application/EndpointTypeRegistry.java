package io.weir.internal.application;

import io.weir.adapter.EndpointType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds adapters to one meaning of each type of endpoints: types with one id are taken for equal.
 *
 * <p>Safe for concurrent use.
 */
final class EndpointTypeRegistry {
  private final Map<String, EndpointType> types = new ConcurrentHashMap<>();
  private final Set<EndpointType> used = ConcurrentHashMap.newKeySet();

  EndpointTypeRegistry() {
    for (EndpointType own :
        new EndpointType[] {EndpointType.JAXRS, EndpointType.SERVLET, EndpointType.METHOD}) {
      types.put(own.id(), own);
    }
  }

  /**
   * Checks a type that an adapter uses.
   *
   * @throws IllegalArgumentException if another one has the same id and means something else
   */
  void check(EndpointType type) {
    EndpointType known = types.computeIfAbsent(type.id(), id -> type);
    if (known.pathParameters() != type.pathParameters()
        || known.methodParameters() != type.methodParameters()
        || known.urlPatterns() != type.urlPatterns()) {
      throw new IllegalArgumentException(
          "the type of endpoints " + type.id() + " means something else already in this Weir");
    }
    if (!used.contains(known)) {
      used.add(known);
    }
  }

  boolean isUsed(EndpointType type) {
    return used.contains(type);
  }
}
