package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.adapter.LimitedEndpoint;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the endpoints of limited calls in one application. Safe for concurrent use. */
@FunctionalInterface
public interface CallEndpointLookup {
  CallEndpointLookup NONE = (type, method, misfits) -> Optional.empty();

  /**
   * Finds the endpoint of a method.
   *
   * @param type the class that runs
   * @param misfits lists why a policy doesn't suit the parameters of the method
   * @return an endpoint with the policies of the method; empty before the application has started
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   */
  Optional<LimitedEndpoint> endpoint(
      Class<?> type, Method method, Function<Policy, List<String>> misfits);
}
