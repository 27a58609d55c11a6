package io.weir.internal.policy.draft;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * All annotations of Weir that an endpoint has.
 *
 * <p>Immutable.
 *
 * @param ofMethod what its method carries
 * @param ofClass what its class carries
 */
public record EndpointAnnotations(
    Optional<LimitedElement> ofMethod, Optional<LimitedElement> ofClass) {
  /**
   * Reads what stands at an endpoint.
   *
   * @param type the class that serves
   * @param method the method that answers, if it is one
   * @return what there is
   */
  public static EndpointAnnotations of(ClassHierarchy type, Optional<Method> method) {
    return new EndpointAnnotations(
        method.flatMap(each -> LimitedElement.method(type, each)), LimitedElement.type(type));
  }

  /**
   * Reads what stands at another method of the same class.
   *
   * @param type the class that serves
   * @param method the method that answers
   * @return with what the class carries, which isn't read again
   */
  public EndpointAnnotations at(ClassHierarchy type, Method method) {
    return new EndpointAnnotations(LimitedElement.method(type, method), ofClass);
  }

  /**
   * What holds for the method, else for the class.
   *
   * @return nothing if neither has an annotation of ours
   */
  public Optional<LimitedElement> inForce() {
    return ofMethod.isPresent() ? ofMethod : ofClass;
  }

  /**
   * The policies of the class that the method's own replace.
   *
   * @return the policies of the class if the method has its own
   */
  public List<PolicyDraft> replaced() {
    return ofClass
        .filter(any -> ofMethod.isPresent())
        .map(LimitedElement::drafts)
        .orElse(List.of());
  }
}
