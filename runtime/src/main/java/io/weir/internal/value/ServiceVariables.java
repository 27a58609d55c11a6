package io.weir.internal.value;

import java.util.regex.Pattern;

/**
 * Recognizes the environment variables by which Kubernetes and linked containers describe services:
 * of a Service named {@code weir-server-http} each pod of its namespace has {@code
 * WEIR_SERVER_HTTP_PORT=tcp://10.0.0.1:8070}, {@code WEIR_SERVER_HTTP_SERVICE_HOST=10.0.0.1} and
 * others. They look like settings, and are none. Stateless.
 */
public final class ServiceVariables {
  private static final Pattern LINK = Pattern.compile("(?:tcp|udp|sctp)://\\S+");
  private static final Pattern SERVICE = Pattern.compile(".*_SERVICE_(?:HOST|PORT(?:_\\w+)?)");
  private static final Pattern PORT =
      Pattern.compile(".*_PORT_\\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?");

  private ServiceVariables() {}

  /**
   * Returns whether a variable describes a service; false for the number of a port, such as {@code
   * WEIR_SERVER_HTTP_PORT=8070}.
   */
  public static boolean isOne(String name, String value) {
    return name.endsWith("_PORT") && LINK.matcher(value.trim()).matches()
        || SERVICE.matcher(name).matches()
        || PORT.matcher(name).matches();
  }
}
