package io.weir.internal.engine;

import io.weir.Ticker;
import io.weir.internal.extension.WeirServiceLoader;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Opens the store of an address, whose provider the scheme determines. */
public final class StoreLocator {
  /** The modules of stores that aren't part of the runtime, by scheme. */
  private static final Map<String, String> MODULES =
      Map.of(
          "rocksdb",
          "weir-rocksdb",
          "cassandra",
          "weir-cassandra",
          "jdbc",
          "weir-postgres",
          "datasource",
          "weir-postgres",
          "spring",
          "weir-spring-boot-starter, or weir-spring-boot3-starter for Spring Boot 3");

  /** Databases that JDBC reaches, but Weir doesn't count in. */
  private static final Pattern DATABASE = Pattern.compile("(?!postgresql)[a-z0-9]{1,32}");

  private StoreLocator() {}

  /**
   * Opens the store of an address.
   *
   * @param address the value of {@code weir.store}, such as {@code inprocess:}
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @return a store, to be closed by the caller or by the limiter that it is given to
   * @throws IllegalArgumentException if there is no store for the address, its address or settings
   *     are malformed, or it needs a library that isn't on the class path
   */
  public static PermitStore open(String address, UnaryOperator<String> setting, Ticker ticker) {
    return open(address, setting, ticker, List.of());
  }

  /**
   * Opens the store of an address as {@link #open(String, UnaryOperator, Ticker)} does.
   *
   * @param given providers that come before those that are found
   */
  public static PermitStore open(
      String address, UnaryOperator<String> setting, Ticker ticker, List<StoreProvider> given) {
    List<StoreProvider> all = Stream.concat(given.stream(), found().stream()).toList();
    URI parsed = parse(isSchemeAlone(address.strip(), all) ? address.strip() + ":" : address);
    String scheme = parsed.getScheme().toLowerCase(Locale.ROOT);
    Optional<StoreProvider> found =
        all.stream().filter(each -> each.schemes().contains(scheme)).findFirst();
    return found.orElseThrow(() -> unknown(parsed, scheme, all)).open(parsed, setting, ticker);
  }

  /** Returns whether an address is the scheme of a store without its colon. */
  private static boolean isSchemeAlone(String address, List<StoreProvider> all) {
    String scheme = address.toLowerCase(Locale.ROOT);
    return MODULES.containsKey(scheme)
        || all.stream().anyMatch(each -> each.schemes().contains(scheme));
  }

  // A URI has a part after its colon, but an address such as inprocess: needn't.
  private static URI parse(String address) {
    String text = address.strip();
    try {
      URI parsed = new URI(text.endsWith(":") ? text + "/" : text);
      if (parsed.getScheme() != null) {
        return parsed;
      }
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException(
          "the store's address is malformed: "
              + malformed.getReason()
              + " at index "
              + malformed.getIndex());
    }
    throw new IllegalArgumentException(
        "the store's address has no scheme, as in 'inprocess:' or 'scheme://host'");
  }

  // Messages don't contain the address, which may contain a password.
  private static IllegalArgumentException unknown(
      URI address, String scheme, List<StoreProvider> all) {
    String database = address.getRawSchemeSpecificPart().split(":", 2)[0];
    if (scheme.equals("jdbc") && DATABASE.matcher(database).matches()) {
      return new IllegalArgumentException(
          "buckets can't be stored in jdbc:"
              + database
              + "; use jdbc:postgresql, with weir-postgres on the class path");
    }
    TreeSet<String> known = new TreeSet<>();
    all.forEach(each -> known.addAll(each.schemes()));
    String module = MODULES.get(scheme);
    return new IllegalArgumentException(
        "no store on the class path has the scheme '"
            + scheme
            + "'; "
            + (module == null ? "use one of " + String.join(", ", known) : "add " + module));
  }

  // The threads of an application server may have a loader that doesn't see Weir, or none.
  private static List<StoreProvider> found() {
    Map<Class<?>, StoreProvider> found = new LinkedHashMap<>();
    Stream.of(Thread.currentThread().getContextClassLoader(), StoreLocator.class.getClassLoader())
        .distinct()
        .flatMap(loader -> WeirServiceLoader.load(StoreProvider.class, loader).stream())
        .forEach(each -> found.putIfAbsent(each.getClass(), each));
    return List.copyOf(found.values());
  }
}
