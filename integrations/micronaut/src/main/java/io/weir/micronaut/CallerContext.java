package io.weir.micronaut;

import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.weir.adapter.LimitedRequest;

/** Binds a request to each thread in which the application works on it. */
record CallerContext(LimitedHttp limited)
    implements ThreadPropagatedContextElement<LimitedRequest.Binding> {
  @Override
  public LimitedRequest.Binding updateThreadContext() {
    return limited.bind();
  }

  @Override
  public void restoreThreadContext(LimitedRequest.Binding bound) {
    bound.close();
  }
}
