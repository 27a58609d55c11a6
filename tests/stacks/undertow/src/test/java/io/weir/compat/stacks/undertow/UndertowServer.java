package io.weir.compat.stacks.undertow;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceManager;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import io.weir.compat.servlet.ServletServer;
import io.weir.servlet.WeirInitializer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

/** Undertow, with applications as their web.xml describes them. */
interface UndertowServer extends ServletServer {
  @Override
  default Running start(Path webApp, ServletContainerInitializer initializer) throws Exception {
    DeploymentInfo application =
        Servlets.deployment()
            .setClassLoader(UndertowServer.class.getClassLoader())
            .setContextPath(CONTEXT)
            .setDeploymentName(webApp.toString())
            .setResourceManager(resources(webApp))
            .addServletContainerInitializer(info(initializer))
            .addServletContainerInitializer(info(new WeirInitializer()));
    WebXml.read(webApp, application);
    DeploymentManager manager = Servlets.newContainer().addDeployment(application);
    try {
      manager.deploy();
      return start(manager);
    } catch (Exception failed) {
      manager.undeploy();
      throw failed;
    }
  }

  /** Watches no files, since the system allows only so many watchers at a time. */
  private static ResourceManager resources(Path webApp) {
    return PathResourceManager.builder()
        .setBase(webApp)
        .setAllowResourceChangeListeners(false)
        .build();
  }

  private static ServletContainerInitializerInfo info(ServletContainerInitializer initializer) {
    return new ServletContainerInitializerInfo(
        initializer.getClass(), new ImmediateInstanceFactory<>(initializer), Set.of());
  }

  private static Running start(DeploymentManager manager) throws ServletException {
    Undertow server =
        Undertow.builder()
            .addHttpListener(0, "127.0.0.1")
            .setHandler(Handlers.path().addPrefixPath(CONTEXT, manager.start()))
            .build();
    server.start();
    InetSocketAddress address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
    return new Running(
        address.getPort(),
        () -> {
          server.stop();
          manager.stop();
          manager.undeploy();
        });
  }
}
