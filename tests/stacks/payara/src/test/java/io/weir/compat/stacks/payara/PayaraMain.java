package io.weir.compat.stacks.payara;

import fish.payara.micro.PayaraMicro;
import fish.payara.micro.PayaraMicroRuntime;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs Payara Micro until the input ends, and deploys a file or undeploys an application as each
 * line of the input asks for, which the command line of Payara Micro can't. Uses nothing but the
 * JDK and Payara.
 */
final class PayaraMain {
  static final String DEPLOY = "deploy ";
  static final String UNDEPLOY = "undeploy ";
  static final String READY = "payara: ready";
  static final String DONE = "payara: done";
  static final String FAILED = "payara: failed";

  private PayaraMain() {}

  public static void main(String[] args) throws Exception {
    PayaraMicro micro =
        PayaraMicro.getInstance()
            .setHttpPort(Integer.parseInt(args[0]))
            .setRootDir(new File(args[1]))
            .setNoCluster(true)
            .setPrintLogo(false);
    micro.setNoHazelcast(true);
    micro.setPreBootHandler(
        admin ->
            admin.run(
                "set",
                "configs.config.server-config.network-config.network-listeners"
                    + ".network-listener.http-listener.address=127.0.0.1"));
    PayaraMicroRuntime runtime = micro.bootStrap();
    System.out.println(READY);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      System.out.println(execute(runtime, command) ? DONE : FAILED);
    }
    System.exit(0);
  }

  private static boolean execute(PayaraMicroRuntime runtime, String command) {
    if (command.startsWith(DEPLOY)) {
      // Payara also reports success where the container of CDI has refused the application.
      return runtime.deploy(new File(command.substring(DEPLOY.length())))
          && !runtime.getDeployedApplicationNames().isEmpty();
    }
    runtime.undeploy(command.substring(UNDEPLOY.length()));
    return runtime.getDeployedApplicationNames().isEmpty();
  }
}
