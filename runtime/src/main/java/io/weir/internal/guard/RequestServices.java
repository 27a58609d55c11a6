package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.adapter.BodySource;
import io.weir.internal.access.AccessLists;
import io.weir.internal.ban.Bans;
import io.weir.internal.body.BodyFormats;
import io.weir.internal.body.BodySlots;
import io.weir.internal.body.BoundedBodyReader;
import io.weir.internal.engine.ClosedRateLimiter;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.load.InFlightCounter;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the few parts of an application's Weir that its requests need: the limiter, the policy
 * source, tiers, time, and the options that settings change. Endpoints refer to it, and a container
 * may keep those of a stopped application in memory; so it lets go of the large parts at its end.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestServices implements Refunds {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  private final Ticker ticker;
  private final String store;
  private final InFlightCounter inFlight;
  private final BodySlots bodySlots = new BodySlots();
  private final AtomicBoolean warnedAfterEnd = new AtomicBoolean();
  private final AtomicInteger callGeneration = new AtomicInteger();
  private final Supplier<@Nullable SafePolicySource> currentSource = this::policySource;
  private volatile Parts parts;
  private volatile CallEndpointLookup calls = CallEndpointLookup.NONE;
  private volatile GuardOptions options;
  private volatile boolean isOpen = true;
  private volatile boolean readsBodies;
  private volatile boolean limitsCalls;

  /** Null until somebody wants requests explained. */
  private volatile @Nullable SeenRoutes seenRoutes;

  /** The parts that refer to the store, or to what the application has plugged in. */
  private record Parts(
      InternalRateLimiter limiter,
      SafeTierResolver tiers,
      @Nullable SafePolicySource policySource,
      @Nullable AppliedPolicyReader appliedPolicies,
      AccessLists access,
      Bans bans) {
    /** Stands for those of an application that has ended. */
    static final Parts ENDED =
        new Parts(
            ClosedRateLimiter.INSTANCE,
            new SafeTierResolver((request, policy) -> CallerTier.none()),
            null,
            null,
            AccessLists.none(),
            Bans.none());
  }

  /**
   * Puts the parts together.
   *
   * @param policySource applies policies to requests; null if the application has none
   * @param store describes the store, without secrets
   */
  public RequestServices(
      InternalRateLimiter limiter,
      SafeTierResolver tiers,
      @Nullable SafePolicySource policySource,
      AppliedPolicyReader appliedPolicies,
      AccessLists access,
      Bans bans,
      Ticker ticker,
      String store,
      InFlightCounter inFlight,
      GuardOptions options) {
    this.parts = new Parts(limiter, tiers, policySource, appliedPolicies, access, bans);
    this.ticker = ticker;
    this.store = store;
    this.inFlight = inFlight;
    this.options = options;
  }

  /**
   * Returns the limiter, for requests whose policies are known. It decides as a closed one once
   * this has {@linkplain #end ended}.
   */
  public InternalRateLimiter limiter() {
    return parts.limiter;
  }

  @Override
  public void refund(Decision decision) {
    parts.limiter.refund(decision);
  }

  @Override
  public void end(Decision decision, boolean succeeded) {
    if (succeeded) {
      parts.limiter.succeeded(decision);
    } else {
      parts.limiter.failed(decision);
    }
  }

  SafeTierResolver tiers() {
    return parts.tiers;
  }

  /** Returns null if the application has none, or has ended. */
  @Nullable SafePolicySource policySource() {
    return parts.policySource;
  }

  /**
   * Returns what finds the policy source as long as the application runs, for those that outlive
   * it.
   */
  Supplier<@Nullable SafePolicySource> currentSource() {
    return currentSource;
  }

  boolean hasPolicySource() {
    return parts.policySource != null;
  }

  /** Returns the access list; an empty one if the application has ended. */
  AccessLists access() {
    return parts.access;
  }

  /** Returns what bans callers; nothing if the application has ended. */
  Bans bans() {
    return parts.bans;
  }

  /** Returns whether any request may be decided, whatever is bound to its endpoint. */
  boolean decideAny() {
    return parts.policySource != null || mayShutOut();
  }

  /**
   * Returns whether any request may be refused because of its caller: by an entry of the access
   * list, or by a ban from the whole application.
   */
  public boolean mayShutOut() {
    Parts now = parts;
    return now.access.areInUse() || now.bans.areOfApplication();
  }

  /** Returns null if the application has ended. */
  @Nullable AppliedPolicyReader appliedPolicies() {
    return parts.appliedPolicies;
  }

  InFlightCounter inFlight() {
    return inFlight;
  }

  /** Returns whether any endpoint so far has a policy that reads bodies. */
  public boolean readsBodies() {
    return readsBodies;
  }

  /** Notes that an endpoint has a policy that reads bodies. */
  void markBodyReader() {
    readsBodies = true;
  }

  /** Returns whether any adapter so far has found a method whose calls are limited. */
  public boolean limitsCalls() {
    return limitsCalls;
  }

  /** Notes that an adapter has found a method whose calls are limited. */
  public void markLimitedCall() {
    limitsCalls = true;
  }

  /**
   * Has a request read its body, within the bounds of the settings.
   *
   * @return see {@link BoundedBodyReader#read}
   */
  CompletionStage<Boolean> readBody(BodySource request, BodyFormats formats) {
    return BoundedBodyReader.read(request, formats, options.bodies(), bodySlots, ticker::nanoTime);
  }

  /** Returns the lookup of endpoints for limited calls within a request of this application. */
  public CallEndpointLookup calls() {
    return calls;
  }

  /**
   * Gives the lookup of endpoints, which needs these services itself; called once before the first
   * request.
   */
  public void setCalls(CallEndpointLookup lookup) {
    calls = lookup;
  }

  /**
   * Returns how often endpoints were forgotten. An endpoint of a call that was looked up before the
   * last time no longer follows the settings.
   *
   * @return another number after each {@link #forgetCalls()}
   */
  public int callGeneration() {
    return callGeneration.get();
  }

  /** Notes that endpoints were forgotten; called after the lookup has. */
  public void forgetCalls() {
    callGeneration.incrementAndGet();
    forgetRoutes();
  }

  Ticker ticker() {
    return ticker;
  }

  /** Returns the writer of header fields, which follows the settings. */
  public RateLimitFields fields() {
    return options.fields();
  }

  /** Returns the maker of refusals, which follows the settings. */
  public RefusalFactory refusals() {
    return options.refusals();
  }

  public GuardOptions options() {
    return options;
  }

  /** Returns the address by which policies count a request. */
  public Optional<String> address(RequestInfo request) {
    return options.addresses().of(request);
  }

  /** Replaces the options, since settings have changed. */
  public void change(GuardOptions changed) {
    options = changed.after(options);
    options.addresses().takeEffect();
    forgetRoutes(); // their policies may be others now
  }

  /** Remembers from now on where requests are decided, for explanations. */
  public synchronized void rememberRoutes() {
    if (seenRoutes == null) {
      seenRoutes = new SeenRoutes();
    }
  }

  /** Returns where requests were decided; null unless that is remembered. */
  @Nullable SeenRoutes seenRoutes() {
    return seenRoutes;
  }

  /** Requests that are under way add theirs to those that nobody asks any more. */
  private void forgetRoutes() {
    if (seenRoutes != null) {
      seenRoutes = new SeenRoutes();
    }
  }

  /**
   * Admits all requests from now on, and refers no longer to the limiter, the policy source, the
   * resolver of tiers and the endpoints of calls.
   */
  public void end() {
    isOpen = false;
    parts = Parts.ENDED;
    calls = CallEndpointLookup.NONE;
    seenRoutes = null;
  }

  /** Returns whether requests are decided; false once this has {@linkplain #end ended}. */
  public boolean isOpen() {
    return isOpen;
  }

  boolean isEnabled() {
    return options.enabled();
  }

  /**
   * Returns whether requests that are served here are decided. After the end they are admitted,
   * since a shutdown hook may run before the server has drained; callers of the limiter itself are
   * refused, since they have code for that.
   */
  boolean decidesServed() {
    if (!isEnabled()) {
      return false;
    }
    if (!isOpen && !warnedAfterEnd.getAndSet(true)) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.WARNING,
          "Requests still arrive after this Weir ("
              + store
              + ") was closed: they are admitted without limits (logged once). Close it after the"
              + " server has answered its last request.");
    }
    return isOpen;
  }

  /** Returns whether a request that waited was refused only because of the end. */
  boolean isRefusedByItsEnd(Decision decision) {
    return !isOpen && !decision.admitted() && decision.reason() == Reason.STORE_UNAVAILABLE;
  }
}
