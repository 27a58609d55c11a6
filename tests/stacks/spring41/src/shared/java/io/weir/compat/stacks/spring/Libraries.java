package io.weir.compat.stacks.spring;

import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The libraries of each application, of those that the module has for all of them: what its own
 * {@code pom.xml} would bring, if it named the starter of one server alone.
 */
public final class Libraries {
  private static final String MVC =
      "spring-(boot-)?webmvc|spring-boot-starter-web(mvc)?|spring-boot-servlet";
  private static final String REACTIVE =
      "reactor-.*|netty-.*|reactive-streams|spring-(boot-)?(starter-)?webflux"
          + "|spring-boot-(starter-)?(reactor-netty|reactor|netty|http-codec)";
  private static final String TOMCAT =
      "tomcat-embed-(core|websocket)|spring-boot-(starter-)?tomcat(-runtime)?";
  private static final String JETTY =
      "jetty-.*|asm-.*|spring-boot-(starter-)?jetty(-runtime)?|jakarta\\.(enterprise|interceptor"
          + "|inject|transaction)[-.].*";
  private static final String UNDERTOW =
      "undertow-.*|spring-boot-starter-undertow|(jboss|xnio|wildfly|smallrye)-.*";

  /** In Tomcat's own jar. */
  private static final String SERVLET = "jakarta\\.(servlet|websocket)-.*";

  private Libraries() {}

  /**
   * Selects those of Spring MVC on Tomcat.
   *
   * @return selects entries of the class path
   */
  public static Predicate<Path> tomcat() {
    return without(REACTIVE, JETTY, UNDERTOW, SERVLET);
  }

  /**
   * Selects those of Spring MVC on Jetty.
   *
   * @return selects entries of the class path
   */
  public static Predicate<Path> jetty() {
    return without(REACTIVE, TOMCAT, UNDERTOW);
  }

  /**
   * Selects those of Spring MVC on Undertow.
   *
   * @return selects entries of the class path
   */
  public static Predicate<Path> undertow() {
    return without(REACTIVE, TOMCAT, JETTY);
  }

  /**
   * Selects those of Spring WebFlux on Netty.
   *
   * @return selects entries of the class path
   */
  public static Predicate<Path> netty() {
    return without(MVC, TOMCAT, JETTY, UNDERTOW, SERVLET, "tomcat-embed-el");
  }

  private static Predicate<Path> without(String... artifacts) {
    Predicate<String> unwanted = Pattern.compile(String.join("|", artifacts)).asMatchPredicate();
    return library -> library.getNameCount() < 3 || !unwanted.test(artifact(library));
  }

  /** Returns the folder of an artifact in Maven's repository, which has one for each version. */
  private static String artifact(Path library) {
    return library.getName(library.getNameCount() - 3).toString();
  }
}
