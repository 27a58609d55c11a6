package io.weir.internal.policy.draft;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * Holds all annotations of Weir at an endpoint.
 *
 * <p>Immutable.
 *
 * @param ofMethod the annotations of its method
 * @param ofClass the annotations of its class
 */
public record EndpointAnnotations(
    Optional<LimitedElement> ofMethod, Optional<LimitedElement> ofClass) {
  /** Reads the annotations of a class and, if there is one, of the method that answers. */
  public static EndpointAnnotations of(ClassHierarchy type, Optional<Method> method) {
    return new EndpointAnnotations(
        method.flatMap(each -> LimitedElement.method(type, each)), LimitedElement.type(type));
  }

  /** Reads the annotations of another method of the same class, without reading the class again. */
  public EndpointAnnotations at(ClassHierarchy type, Method method) {
    return new EndpointAnnotations(LimitedElement.method(type, method), ofClass);
  }

  /** Returns the annotations that apply: those of the method, else those of the class. */
  public Optional<LimitedElement> inForce() {
    return ofMethod.isPresent() ? ofMethod : ofClass;
  }

  /** Returns the policies of the class that the method's own annotations replace. */
  public List<PolicyDraft> replaced() {
    return ofClass
        .filter(any -> ofMethod.isPresent())
        .map(LimitedElement::drafts)
        .orElse(List.of());
  }
}
