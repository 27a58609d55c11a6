package io.weir.benchmarks.decisions.cases;

import io.weir.Decision;
import io.weir.Key;
import io.weir.adapter.HeaderField;
import io.weir.internal.guard.GuardedRequest;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** The steps from a direct call of the limiter to a request that passes an annotated method. */
public class Annotated {
  /** A direct call of the limiter, with metrics. */
  @Benchmark
  public Decision counted(Endpoint endpoint, RequestSequence requests) {
    return requests.admitted(endpoint.take(requests.key()));
  }

  /** Returns the caller of the request. */
  @Benchmark
  public Key key(Endpoint endpoint, RequestSequence requests) {
    return endpoint.read(requests.call());
  }

  /** A request through the guard. */
  @Benchmark
  public GuardedRequest guarded(Endpoint endpoint, RequestSequence requests) {
    GuardedRequest request = endpoint.pass(requests.call());
    requests.admitted(request.decision());
    return request;
  }

  /** The same, whose response says what is left. */
  @Benchmark
  public List<HeaderField> told(Endpoint endpoint, RequestSequence requests) {
    GuardedRequest request = endpoint.pass(requests.call());
    requests.admitted(request.decision());
    return request.headers();
  }
}
