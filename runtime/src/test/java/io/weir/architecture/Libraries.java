package io.weir.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rules that each package uses one library only, some in one class, so that each can be absent. */
final class Libraries {
  private final String root;

  Libraries(String root) {
    this.root = root;
  }

  Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    homes().forEach((library, homes) -> rules.put(library, onlyIn(library, homes)));
    rules.put("others", nothingElse());
    return rules;
  }

  /** The places that may use each library: packages, or classes by their simple names after a #. */
  private static Map<String, List<String>> homes() {
    Map<String, List<String>> homes = new LinkedHashMap<>();
    homes.put("jakarta.ws.rs", List.of("jaxrs", "internal.container"));
    homes.put(
        "jakarta.servlet",
        List.of(
            "servlet",
            "internal.container#ServletPeerFilter",
            "internal.container#JerseyServletPeerLookup",
            "internal.container#JettyServletBody",
            "internal.container#ReceivedRequest",
            "internal.container#RestEasyServletPeer",
            "internal.container#ServletEnd",
            "internal.container#Cxf"));
    homes.put("jakarta.annotation", List.of("jaxrs"));
    homes.put("jakarta.inject", List.of("jaxrs"));
    homes.put("org.aspectj", List.of("aspectj"));
    homes.put(
        "com.github.benmanes.caffeine",
        List.of("internal.writeback", "internal.ban#LocalBuckets", "internal.ban#RetryTimes"));
    homes.put("redis.clients", List.of("internal.redis"));
    homes.put("io.github.bucket4j", List.of("bucket4j"));
    homes.put("com.fasterxml.jackson", List.of("internal.body#JsonFields"));
    homes.put("inet.ipaddr", List.of("internal.key", "internal.value"));
    homes.put("io.micrometer", List.of("metrics#MicrometerMetrics", "tracing#MicrometerTracing"));
    homes.put("io.opentelemetry", List.of("tracing#OpenTelemetryTracing"));
    homes.put("org.eclipse.microprofile", List.of("internal.settings#MicroProfileSource"));
    homes.put("org.glassfish.grizzly", List.of("internal.container#GrizzlyPeerLookup"));
    homes.put(
        "org.glassfish.jersey",
        List.of(
            "jaxrs#JerseyEventListener",
            "jaxrs#JerseyResources",
            "internal.container#JerseyDetector",
            "internal.container#JerseyPeerLookup",
            "internal.container#JerseyServletPeerLookup",
            "internal.container#GrizzlyPeerLookup",
            "internal.container#JettyPeerLookup",
            "internal.container#HelidonPeerLookup"));
    homes.put(
        "org.jboss.resteasy",
        List.of(
            "internal.container#RestEasy",
            "internal.container#RestEasyServletPeer",
            "internal.container#RestEasyResources",
            "internal.container#ServletEnd"));
    homes.put(
        "org.apache.cxf",
        List.of("internal.container#Cxf", "internal.container#CxfServerListener"));
    homes.put("org.eclipse.jetty", List.of("internal.container#JettyPeerLookup"));
    homes.put("org.springframework", List.of("internal.container#MissingSpringStarter"));
    homes.put("javax.xml", List.of("servlet#WebXml"));
    homes.put("com.sun.management", List.of("internal.load#ProcessorGauge"));
    return homes;
  }

  private ArchRule onlyIn(String library, List<String> homes) {
    return noClasses()
        .that(DescribedPredicate.not(atHome(homes)))
        .should()
        .dependOnClassesThat(resideInAPackage(library + ".."))
        .as("%s only in %s".formatted(library, homes));
  }

  private ArchRule nothingElse() {
    String[] known =
        homes().keySet().stream().map(library -> library + "..").toArray(String[]::new);
    return noClasses()
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideOutsideOfPackages(known)
                .and(
                    JavaClass.Predicates.resideOutsideOfPackages(
                        "java..",
                        "javax.crypto..",
                        "javax.net..",
                        "io.weir..",
                        "org.jspecify.annotations",
                        "")))
        .as("no library without a home");
  }

  private DescribedPredicate<JavaClass> atHome(List<String> homes) {
    return DescribedPredicate.describe(
        "at home in " + homes, type -> homes.stream().anyMatch(home -> lives(type, home)));
  }

  /** Nested classes count as their outermost class. */
  private boolean lives(JavaClass type, String home) {
    String[] parts = home.split("#", 2);
    String place = root + "." + parts[0];
    return parts.length == 1
        ? (type.getPackageName() + ".").startsWith(place + ".")
        : type.getName().equals(place + "." + parts[1])
            || type.getName().startsWith(place + "." + parts[1] + "$");
  }
}
