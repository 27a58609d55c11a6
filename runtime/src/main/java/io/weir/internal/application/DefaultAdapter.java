package io.weir.internal.application;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.internal.extension.SafeUserNames;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.guard.RequestServices;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.spi.RequestInfo;
import io.weir.spi.UserNames;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects an adapter by a {@link WeirHandle}, which it opens before the Weir is used, so that no
 * other component closes it meanwhile.
 *
 * <p>Once it is closed it refers to no Weir: many containers keep objects of the last application
 * in memory. Endpoints that it finds then have no policy of their own, and a request that comes
 * late belongs to the Weir of the others.
 *
 * <p>Safe for concurrent use.
 */
public final class DefaultAdapter implements Adapter {
  private final WeirHandle handle;
  private final RequestServices requests;
  private final GuardedEndpoint unlimited;
  private final Calls calls;

  /** Null once the adapter is closed. */
  private volatile @Nullable WeirRuntime weir;

  private volatile boolean started;

  private DefaultAdapter(WeirHandle handle, WeirRuntime weir) {
    this.handle = handle;
    this.weir = weir;
    this.requests = weir.requests();
    this.unlimited = weir.unlimited();
    this.calls = new Calls(requests);
  }

  /** Opens an adapter, to be closed, on the Weir that the options determine. */
  public static DefaultAdapter open(AdapterOptions options) {
    ClassLoader loader = options.classLoader().orElseGet(DefaultAdapter::contextLoader);
    WeirHandle handle =
        options
            .weir()
            .map(given -> WeirHandle.open(loader, WeirRuntime.of(given)))
            .orElseGet(() -> WeirHandle.open(loader));
    try {
      return new DefaultAdapter(handle, handle.weir(options.settings()));
    } catch (RuntimeException | Error mistake) {
      handle.close();
      throw mistake;
    }
  }

  private static ClassLoader contextLoader() {
    return Optional.ofNullable(Thread.currentThread().getContextClassLoader())
        .orElseGet(DefaultAdapter.class::getClassLoader);
  }

  @Override
  public WeirRuntime weir() {
    WeirRuntime open = weir;
    if (open == null) {
      throw new IllegalStateException("the adapter is closed");
    }
    return open;
  }

  @Override
  public void check(Collection<Class<?>> types, EndpointType type) {
    WeirRuntime open = weir;
    if (open != null) {
      open.types().check(type);
      open.check(types, type);
    }
  }

  @Override
  public LimitedEndpoint endpoint(Class<?> handler, Method method, EndpointType type) {
    WeirRuntime open = weir;
    if (open == null) {
      return unlimited;
    }
    open.types().check(type);
    return started
        ? open.endpointAtRequest(handler, Optional.of(method), type)
        : open.endpoint(handler, method, type);
  }

  @Override
  public LimitedEndpoint endpoint(Class<?> handler, EndpointType type) {
    WeirRuntime open = weir;
    if (open == null) {
      return unlimited;
    }
    open.types().check(type);
    return started
        ? open.endpointAtRequest(handler, Optional.empty(), type)
        : open.endpoint(handler, type);
  }

  @Override
  public LimitedEndpoint endpoint(String path, boolean ignoresSlash, boolean ignoresCase) {
    WeirRuntime open = weir;
    return open == null ? unlimited : open.endpoint(path, ignoresSlash, ignoresCase);
  }

  @Override
  public boolean limitsPaths() {
    WeirRuntime open = weir;
    return open != null && open.limitsPaths();
  }

  @Override
  public boolean isAnnotated(Method method) {
    return PolicyCatalog.isAnnotated(method);
  }

  @Override
  public LimitedEndpoint withoutClass() {
    WeirRuntime open = weir;
    return open == null ? unlimited : open.withoutClass();
  }

  @Override
  public LimitedEndpoint unlimited() {
    return unlimited;
  }

  @Override
  public boolean hasPolicySource() {
    WeirRuntime open = weir;
    return open != null && open.hasPolicySource();
  }

  @Override
  public boolean hasAccessList() {
    WeirRuntime open = weir;
    return open != null && open.hasAccessList();
  }

  @Override
  public boolean readsBodies() {
    WeirRuntime open = weir;
    return open != null && open.readsBodies();
  }

  @Override
  public void started() {
    started = true;
    WeirRuntime open = weir;
    if (open != null) {
      open.warnOfUnknownPolicies();
    }
  }

  @Override
  public LimitedRequest begin(RequestInfo seen, @Nullable Object left) {
    // An adapter of another application has left an object of another class, or of another Weir.
    return left instanceof RequestHolder holder
            && holder.limitedRequest() instanceof GuardedRequest begun
            && begun.services() == requests
        ? begun
        : unlimited.enter(seen);
  }

  @Override
  public LimitedCall call(Class<?> type, Method method, List<String> parameterNames) {
    CallLimiter call = CallLimiter.ofAdapter(type, method, parameterNames, calls);
    if (!started) {
      call.check();
    }
    requests.markLimitedCall();
    return call;
  }

  @Override
  public boolean limitsCalls() {
    return requests.limitsCalls() || CallLimiter.isWoven();
  }

  @Override
  public Optional<LimitedRequest> currentRequest() {
    return CallLimiter.currentRequest();
  }

  @Override
  public Refusal refusal(
      RateLimitExceededException refused, Function<String, List<String>> headers) {
    return requests.refusals().of(refused.decision(), headers);
  }

  @Override
  public Refusal refusal(InvalidRequestException invalid) {
    return requests.refusals().badRequest(invalid.getMessage());
  }

  @Override
  public Optional<String> peer(Object request) {
    WeirRuntime open = weir;
    return open == null
        ? Optional.empty()
        : open.peerAddress().flatMap(finder -> finder.of(request));
  }

  @Override
  public Optional<String> address(RequestInfo request) {
    return requests.address(request);
  }

  @Override
  public boolean findsPeer() {
    WeirRuntime open = weir;
    return open != null && open.peerAddress().isPresent();
  }

  @Override
  public UserNames userNames() {
    WeirRuntime open = weir;
    return open == null ? SafeUserNames.PLAIN : open.userNames();
  }

  @Override
  public boolean callsApplication() {
    WeirRuntime open = weir;
    return open != null && open.callsApplication();
  }

  @Override
  public String setting(String name) {
    return weir().setting(name);
  }

  @Override
  public Optional<ClassLoader> applicationLoader() {
    WeirRuntime open = weir;
    return open == null ? Optional.empty() : open.applicationLoader();
  }

  @Override
  public void close() {
    calls.services = Optional.empty();
    handle.close();
    weir = null;
  }

  /** Finds the Weir for calls outside of a request, until the adapter is closed. */
  private static final class Calls implements Supplier<Optional<RequestServices>> {
    private volatile Optional<RequestServices> services;

    Calls(RequestServices services) {
      this.services = Optional.of(services);
    }

    @Override
    public Optional<RequestServices> get() {
      return services;
    }
  }
}
