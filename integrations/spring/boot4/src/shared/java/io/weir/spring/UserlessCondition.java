package io.weir.spring;

import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.util.function.Predicate;

/** A condition that says that it needs no user, whatever it reads. */
public record UserlessCondition(Predicate<RequestInfo> condition) implements RequestCondition {
  @Override
  public boolean test(RequestInfo request) {
    return condition.test(request);
  }

  @Override
  public boolean needsUser() {
    return false;
  }
}
