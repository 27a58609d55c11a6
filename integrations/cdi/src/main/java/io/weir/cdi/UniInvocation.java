package io.weir.cdi;

import io.smallrye.mutiny.Uni;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedSubscription;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that returns a {@link Uni}. Each subscription is a call: it is decided, and the
 * method runs, when the Uni is subscribed to; its end is the outcome.
 *
 * @param limits knows the request of the thread
 */
record UniInvocation(LimitedCall call, Adapter limits) implements LimitedInvocation {
  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    if (call.takeCharge()) {
      return invocation.proceed();
    }
    Optional<LimitedRequest> assembled = limits.currentRequest();
    return Uni.createFrom().deferred(() -> subscription(invocation, assembled));
  }

  private Uni<Object> subscription(
      InvocationContext invocation, Optional<LimitedRequest> assembled) {
    LimitedSubscription<Uni<Object>> one = MutinyInvocations.subscription(call, invocation);
    return MutinyInvocations.decided(one, limits, assembled)
        .flatMap(result -> result)
        .onTermination()
        .invoke((value, failure, cancelled) -> MutinyInvocations.end(one, failure, cancelled));
  }
}
