package io.weir.cdi;

import io.smallrye.mutiny.Multi;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedSubscription;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that returns a {@link Multi}, as {@link UniInvocation} does.
 *
 * @param limits knows the request of the thread
 */
record MultiInvocation(LimitedCall call, Adapter limits) implements LimitedInvocation {
  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    if (call.takeCharge()) {
      return invocation.proceed();
    }
    Optional<LimitedRequest> assembled = limits.currentRequest();
    return Multi.createFrom().deferred(() -> subscription(invocation, assembled));
  }

  private Multi<Object> subscription(
      InvocationContext invocation, Optional<LimitedRequest> assembled) {
    LimitedSubscription<Multi<Object>> one = MutinyInvocations.subscription(call, invocation);
    return MutinyInvocations.decided(one, limits, assembled)
        .onItem()
        .transformToMulti(result -> result)
        .onItem()
        .invoke(value -> one.emitted())
        .onTermination()
        .invoke((failure, cancelled) -> MutinyInvocations.end(one, failure, cancelled));
  }
}
