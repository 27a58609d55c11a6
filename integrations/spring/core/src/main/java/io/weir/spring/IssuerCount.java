package io.weir.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/**
 * Finds out whether several issuers name the users of an application: by a resolver of JWT issuers,
 * several decoders of tokens, or several client registrations. A resolver of the application's own
 * may know any number of issuers.
 *
 * <p>Safe for concurrent use. Reads the beans once, when the first user of an issuer has signed in.
 */
final class IssuerCount {
  private static final Logger LOG = System.getLogger("io.weir.spring");
  private static final String SECURITY = "org.springframework.security.";
  private static final String SERVER = SECURITY + "oauth2.server.resource.";

  private static final List<String> RESOLVERS =
      List.of(
          SERVER + "authentication.JwtIssuerAuthenticationManagerResolver",
          SERVER + "authentication.JwtIssuerReactiveAuthenticationManagerResolver");

  private static final List<String> DECODERS =
      List.of(
          SECURITY + "oauth2.jwt.JwtDecoder",
          SECURITY + "oauth2.jwt.ReactiveJwtDecoder",
          SERVER + "introspection.OpaqueTokenIntrospector",
          SERVER + "introspection.ReactiveOpaqueTokenIntrospector");

  private static final List<String> REGISTRATIONS =
      List.of(
          SECURITY + "oauth2.client.registration.ClientRegistrationRepository",
          SECURITY + "oauth2.client.registration.ReactiveClientRegistrationRepository");

  private static final String BEARER =
      SERVER + "web.authentication.BearerTokenAuthenticationFilter";
  private static final String SIGN_IN =
      SECURITY + "web.server.authentication.AuthenticationWebFilter";

  /** The field of both filters; it holds a lambda of Spring's own for a single manager. */
  private static final String RESOLVER = "authenticationManagerResolver";

  private static final List<String> SINGLE = List.of(SECURITY + "config.", SIGN_IN);

  private static final String CHAIN = SECURITY + "web.SecurityFilterChain";
  private static final String WEB_CHAIN = SECURITY + "web.server.SecurityWebFilterChain";
  private static final Getter FILTERS = new Getter(CHAIN, "getFilters");
  private static final Getter WEB_FILTERS = new Getter(WEB_CHAIN, "getWebFilters");

  private final ListableBeanFactory beans;
  private volatile @Nullable Boolean several;

  IssuerCount(ListableBeanFactory beans) {
    this.beans = beans;
  }

  static void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    Stream.of(RESOLVERS, DECODERS, REGISTRATIONS)
        .flatMap(List::stream)
        .forEach(each -> hints.reflection().registerTypeIfPresent(loader, each));
    for (String filter : List.of(BEARER, SIGN_IN)) {
      hints.reflection().registerTypeIfPresent(loader, filter, type -> type.withField(RESOLVER));
    }
    Stream.of(FILTERS, WEB_FILTERS).forEach(each -> each.registerHints(hints));
  }

  /** Returns whether users of different issuers may have one name. */
  boolean isSeveral() {
    Boolean known = several;
    if (known == null) {
      known = read();
      several = known;
    }
    return known;
  }

  /** Counts as several if it can't be read: then users are counted apart. */
  private boolean read() {
    try {
      return !beans(RESOLVERS).isEmpty()
          || beans(DECODERS).size() > 1
          || beans(REGISTRATIONS).stream().mapToInt(IssuerCount::registrations).sum() > 1
          || haveSeveral(filters());
    } catch (RuntimeException | LinkageError unreadable) {
      LOG.log(
          Level.DEBUG,
          "the issuers of users can't be read, so users are counted apart",
          unreadable);
      return true;
    }
  }

  private List<Object> beans(List<String> types) {
    return types.stream().<Object>flatMap(each -> beans(each).stream()).toList();
  }

  private Collection<?> beans(String type) {
    @Nullable Class<?> found = SpringClasses.find(type);
    return found == null
        ? List.of()
        : BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, found, true, false).values();
  }

  /** A repository that doesn't list its registrations may have any number. */
  private static int registrations(Object repository) {
    if (!(repository instanceof Iterable<?> all)) {
      return 2;
    }
    int count = 0;
    for (Object unused : all) {
      count++;
    }
    return count;
  }

  private List<Object> filters() {
    return Stream.<Object>concat(
            filters(CHAIN, FILTERS).flatMap(each -> ((Collection<?>) each).stream()),
            filters(WEB_CHAIN, WEB_FILTERS).flatMap(each -> Reactive.list(each).stream()))
        .toList();
  }

  private Stream<Object> filters(String chain, Getter getter) {
    return getter.isPresent()
        ? beans(chain).stream().flatMap(each -> getter.of(each).stream())
        : Stream.empty();
  }

  private static boolean haveSeveral(List<Object> filters) {
    return filters.stream().filter(each -> isA(BEARER, each)).count() > 1
        || filters.stream()
            .filter(each -> isA(BEARER, each) || isA(SIGN_IN, each))
            .anyMatch(each -> resolver(each).filter(IssuerCount::isOfSeveral).isPresent());
  }

  private static boolean isA(String type, Object filter) {
    @Nullable Class<?> found = SpringClasses.find(type);
    return found != null && found.isInstance(filter);
  }

  private static Optional<Object> resolver(Object filter) {
    @Nullable Field field = ReflectionUtils.findField(filter.getClass(), RESOLVER);
    if (field == null) {
      return Optional.empty();
    }
    ReflectionUtils.makeAccessible(field);
    return Optional.ofNullable(ReflectionUtils.getField(field, filter));
  }

  private static boolean isOfSeveral(Object resolver) {
    return SINGLE.stream().noneMatch(resolver.getClass().getName()::startsWith);
  }

  /** Loaded only where WebFlux is present. */
  private static final class Reactive {
    private Reactive() {}

    /** The filters of a chain are a list, so they are there at once. */
    static List<Object> list(Object filters) {
      return Flux.from((Publisher<?>) filters)
          .cast(Object.class)
          .collectList()
          .toFuture()
          .getNow(List.of());
    }
  }
}
