package io.weir.test.pages;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An endpoint whose method {@code limited} has the annotations of a page, with a clock that only
 * the test moves. Confine to one thread.
 */
final class AnnotatedEndpoint implements AutoCloseable {
  private static final EndpointType PAGE =
      new EndpointType("PAGE", true, false, false, any -> Optional.empty());

  /** The requests after each pause. */
  static final int TRIES = 60;

  private final FakeTicker ticker;
  private final Weir weir;
  private final Adapter adapter;
  private final LimitedEndpoint endpoint;

  AnnotatedEndpoint(Class<?> annotated) {
    this(annotated, builder -> builder);
  }

  AnnotatedEndpoint(Class<?> annotated, UnaryOperator<WeirBuilder> parts) {
    this(annotated, new FakeTicker(), parts);
  }

  private AnnotatedEndpoint(
      Class<?> annotated, FakeTicker ticker, UnaryOperator<WeirBuilder> parts) {
    this(annotated, ticker, parts.apply(Weir.builder().ticker(ticker)).build());
  }

  /** Makes an endpoint beside others of one Weir, whose clock it doesn't move. */
  AnnotatedEndpoint(Class<?> annotated, Weir weir) {
    this(annotated, new FakeTicker(), weir);
  }

  private AnnotatedEndpoint(Class<?> annotated, FakeTicker ticker, Weir weir) {
    this.ticker = ticker;
    this.weir = weir;
    adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));
    try {
      endpoint = adapter.endpoint(annotated, annotated.getMethod("limited"), PAGE);
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }

  /**
   * The result of a request.
   *
   * @param status 200, or that of the refusal
   * @param fields the header fields, by name in any case
   */
  record Answer(int status, Map<String, String> fields) {
    boolean isAdmitted() {
      return status == 200;
    }
  }

  Answer send(FakeRequest request) {
    return send(request, 200);
  }

  /** Sends a request to a handler that answers with a status. */
  Answer send(FakeRequest request, int handled) {
    LimitedRequest limited = adapter.begin(request, null);
    limited.moveTo(endpoint, request);
    Optional<Refusal> refusal = limited.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    if (refusal.isEmpty()) {
      refusal = limited.decide(DecisionPhase.AFTER_AUTHENTICATION);
    }
    int status = refusal.map(Refusal::status).orElse(handled);
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    limited.headers().forEach(each -> fields.put(each.name(), each.value()));
    limited.completed(status);
    return new Answer(refusal.isPresent() ? status : 200, fields);
  }

  boolean admits() {
    return send(FakeRequest.from("192.0.2.1")).isAdmitted();
  }

  void advance(Duration time) {
    ticker.advance(time);
  }

  Weir weir() {
    return weir;
  }

  /** Returns how many permits of the policy of its name and of everybody are left. */
  long left() {
    LimitedRequest peeking = adapter.begin(FakeRequest.from("192.0.2.1").cost(0), null);
    peeking.moveTo(endpoint, FakeRequest.from("192.0.2.1").cost(0));
    peeking.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    return peeking.decision().remaining();
  }

  /** Returns how many of some requests, of which each is made anew, are admitted. */
  int admitted(int tries, Supplier<FakeRequest> request) {
    int count = 0;
    for (int i = 0; i < tries; i++) {
      count += send(request.get()).isAdmitted() ? 1 : 0;
    }
    return count;
  }

  /** Returns how many of {@link #TRIES} are admitted after each of some pauses. */
  List<Integer> admitted(Duration... pauses) {
    List<Integer> admitted = new ArrayList<>();
    for (Duration pause : pauses) {
      advance(pause);
      admitted.add(admitted(TRIES, () -> FakeRequest.from("192.0.2.1")));
    }
    return admitted;
  }

  @Override
  public void close() {
    adapter.close();
    weir.close();
  }
}
