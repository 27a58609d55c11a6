package io.weir.internal.container;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Warns, once for each class, that a filter or the web server reports another address than the
 * connection has and that Weir doesn't use it.
 *
 * <p>Safe for concurrent use.
 */
public final class IgnoredAddressWarning {
  private static final System.Logger LOG = System.getLogger("io.weir.internal.container");

  /** Names, since a class could keep an ended application in memory. */
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private IgnoredAddressWarning() {}

  /**
   * Notes a request whose address is reported in two ways. Where settings name trusted proxies,
   * nothing is to be done.
   *
   * @param wrapper the name of the class by which the filter or server reports its address
   * @param settings finds the value of a setting; may throw if the application has ended
   */
  public static void note(String wrapper, UnaryOperator<String> settings) {
    if (!REPORTED.contains(wrapper) && !namesProxies(settings) && REPORTED.add(wrapper)) {
      LOG.log(
          Level.WARNING,
          "A filter or the web server reports a different caller address than the connection ("
              + wrapper
              + "). Weir ignores it, since any caller may have sent it in a header. If requests"
              + " come through a proxy, list it in weir.proxy.trusted. If only your proxy"
              + " can have sent the address, return it from an io.weir.spi.PeerAddress (logged"
              + " once)");
    }
  }

  private static boolean namesProxies(UnaryOperator<String> settings) {
    try {
      return !settings.apply("weir.proxy.trusted").isBlank();
    } catch (IllegalStateException ended) {
      return true;
    }
  }
}
