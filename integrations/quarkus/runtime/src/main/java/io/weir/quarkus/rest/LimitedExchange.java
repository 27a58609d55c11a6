package io.weir.quarkus.rest;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.spi.DecisionPhase;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The limited request of one exchange, which all parts of this adapter find as an attribute of it.
 *
 * <p>Safe for concurrent use, as far as the parts come one after the other.
 */
final class LimitedExchange implements RequestHolder {
  private final Adapter adapter;
  private final LimitedRequest request;

  /** The resource that was decided, or is being so; null before one is known. */
  private volatile @Nullable LimitedResource resource;

  /** What limits the request as it was seen last. */
  private volatile LimitedEndpoint endpoint;

  private volatile @Nullable ExchangeRequest seen;

  /** Whether the resource was decided by user. */
  private volatile boolean decidedByUser;

  /** Whether the resource has run. */
  private volatile boolean ran;

  /** The response in place of the resource's; null if the request is admitted so far. */
  private volatile @Nullable Refusal refusal;

  private volatile LimitedRequest.@Nullable Binding binding;

  LimitedExchange(Adapter adapter, LimitedRequest request) {
    this.adapter = adapter;
    this.request = request;
    this.endpoint = adapter.unlimited();
  }

  @Override
  public LimitedRequest limitedRequest() {
    return request;
  }

  /**
   * Moves the request to the resource that a look-up has found, or that is about to answer.
   *
   * @return false if the same was decided before for the same request
   */
  boolean arrive(LimitedResource found, ExchangeRequest as) {
    LimitedEndpoint before = endpoint;
    ExchangeRequest known = seen;
    boolean isNew = known == null || !as.isSentAs(known);
    if (known != null) {
      as.takeFrom(known);
    }
    resource = found;
    seen = as;
    if (isNew) {
      as.noteSent();
      refusal = null;
      decidedByUser = false;
      endpoint = as.limits();
    }
    request.moveTo(endpoint, as);
    if (isNew && known != null) {
      if (ran) {
        request.keep();
        ran = false;
      } else {
        request.correct(before);
      }
    }
    return isNew;
  }

  /**
   * Decides what needs no user.
   *
   * @param executor runs the parts of the application
   * @return completed once {@link #takeRefusal} has the outcome
   */
  CompletionStage<Void> decide(Executor executor) {
    return decide(DecisionPhase.BEFORE_AUTHENTICATION, executor);
  }

  private CompletionStage<Void> decide(DecisionPhase phase, Executor executor) {
    return endpoint.decides(phase)
        ? request.decideAsync(phase, executor).thenAccept(this::note)
        : CompletableFuture.completedFuture(null);
  }

  private void note(Optional<Refusal> outcome) {
    refusal = outcome.orElse(null);
  }

  /** Returns whether the resource is still to be decided for the user of the request. */
  boolean isOpen(LimitedResource asked) {
    return resource != asked || !decidedByUser;
  }

  /**
   * Decides by user, whom filters may have signed in by now.
   *
   * @param mayCome whether filters still may sign somebody in, then a missing user isn't final
   * @param executor runs the parts of the application
   * @return completed once {@link #takeRefusal} has the outcome
   */
  CompletionStage<Void> decideByUser(boolean mayCome, Executor executor) {
    boolean decides = endpoint.decides(DecisionPhase.AFTER_AUTHENTICATION);
    if (!decides && !adapter.limitsCalls()) {
      decidedByUser = true;
      return CompletableFuture.completedFuture(null);
    }
    ExchangeRequest asking = Objects.requireNonNull(seen);
    return asking
        .signedIn()
        .thenCompose(
            principal -> {
              if (principal == null && mayCome) {
                return CompletableFuture.completedFuture(null);
              }
              asking.setUser(principal);
              decidedByUser = true;
              if (decides) {
                request.keep(); // the filters between have run
              }
              return decide(DecisionPhase.AFTER_AUTHENTICATION, executor);
            });
  }

  /** Shows the body to the resource as if nobody had read it for policies. */
  void showBody() {
    ExchangeRequest known = seen;
    if (known != null) {
      known.showBody();
    }
  }

  private void discardBody() {
    ExchangeRequest known = seen;
    if (known != null) {
      known.discardBody();
    }
  }

  /** Returns the refusal, which isn't known any more then. */
  @Nullable Refusal takeRefusal() {
    Refusal taken = refusal;
    refusal = null;
    if (taken != null) {
      request.answered(taken);
      discardBody();
    }
    return taken;
  }

  /** Binds the request to this thread, in which the resource is about to run. */
  void enter() {
    ran = true;
    LimitedResource running = resource;
    binding = request.bind(running == null ? null : running.method());
  }

  /** Unbinds it from the thread in which the resource has run. */
  void leave() {
    LimitedRequest.Binding bound = binding;
    if (bound != null) {
      binding = null;
      bound.close();
    }
  }
}
