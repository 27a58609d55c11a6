package io.weir.quarkus.deployment;

import io.quarkus.builder.BuildChainBuilder;
import io.quarkus.builder.BuildContext;
import io.quarkus.deployment.builditem.GeneratedResourceBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageProxyDefinitionBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourcePatternsBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Puts what a build would keep in a native image into a file of the application. */
final class NativeHints implements Consumer<BuildChainBuilder> {
  private static final String FILE = "native-hints.txt";

  @Override
  public void accept(BuildChainBuilder chain) {
    chain
        .addBuildStep(NativeHints::write)
        .consumes(ReflectiveClassBuildItem.class)
        .consumes(ServiceProviderBuildItem.class)
        .consumes(NativeImageProxyDefinitionBuildItem.class)
        .consumes(NativeImageResourcePatternsBuildItem.class)
        .produces(GeneratedResourceBuildItem.class)
        .build();
  }

  private static void write(BuildContext build) {
    List<String> lines = new ArrayList<>();
    build
        .consumeMulti(ReflectiveClassBuildItem.class)
        .forEach(
            item ->
                item.getClassNames()
                    .forEach(each -> lines.add((item.isMethods() ? "methods " : "class ") + each)));
    build
        .consumeMulti(ServiceProviderBuildItem.class)
        .forEach(
            item ->
                item.providers()
                    .forEach(each -> lines.add(item.serviceDescriptorFile() + " " + each)));
    build
        .consumeMulti(NativeImageProxyDefinitionBuildItem.class)
        .forEach(item -> lines.add("proxy " + String.join(",", item.getClasses())));
    build
        .consumeMulti(NativeImageResourcePatternsBuildItem.class)
        .forEach(item -> item.getIncludePatterns().forEach(each -> lines.add("files " + each)));
    build.produce(
        new GeneratedResourceBuildItem(
            FILE, String.join("\n", lines).getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the lines, in an application whose build has this as a customizer. */
  static List<String> read() throws IOException {
    try (InputStream in =
        Thread.currentThread().getContextClassLoader().getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }
}
