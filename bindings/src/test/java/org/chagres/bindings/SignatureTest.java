package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every function in the filters has a hand-written call, whose parameters and result are those of the descriptor. */
final class SignatureTest {
    private static final Map<JextractInputs, List<Class<?>>> CALLS = Map.of(JextractInputs.VERBS,
            List.of(Verbs.class, VerbsMemory.class, VerbsQueues.class), JextractInputs.RDMACM,
            List.of(RdmaCm.class, RdmaCmConnection.class), JextractInputs.CUDA, List.of(Cuda.class, CudaDevice.class,
                    CudaMemory.class, CudaCopy.class, CudaStream.class, CudaModule.class));

    /** Calls that fill in what verbs.h fills in, or give the C string instead of filling it. */
    private static final Map<String, Integer> FEWER_PARAMETERS = Map.of("_ibv_query_gid_ex", 2, "_ibv_query_gid_table",
            2);
    private static final Map<String, String> OTHER_NAMES = Map.of("ibv_query_port", "queryPortShort");
    /** Reached through {@link Cuda#describe} and {@link Cuda#errorName}, which own the out parameter. */
    private static final List<String> INTERNAL = List.of("cuGetErrorName", "cuGetErrorString");

    @ParameterizedTest
    @EnumSource
    void callsMatchTheDescriptors(final JextractInputs library) throws Exception {
        final var source = library.generatedSource();
        final Map<String, Method> calls = CALLS.get(library)
                .stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !method.getName().startsWith("lambda$"))
                .collect(Collectors.toMap(method -> key(method.getName()), Function.identity(), (a, b) -> a));
        for (final String function : library.names("function")) {
            if (INTERNAL.contains(function)) {
                continue;
            }
            final var call = calls.get(key(javaName(function)));
            assertNotNull(call, () -> function + " is in the filter, but no call of it exists");
            assertEquals(descriptor(source, function), signature(call, FEWER_PARAMETERS.getOrDefault(function, 0)),
                    () -> function + " and " + call);
        }
    }

    /** reg_mr and regMr are the same name. */
    private static String key(final String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static String javaName(final String function) {
        if (OTHER_NAMES.containsKey(function)) {
            return OTHER_NAMES.get(function);
        }
        return function.replaceFirst("^_?(ibv_|rdma_|cu)", "").replaceFirst("_v\\d$", "");
    }

    /** Result and parameters of a generated descriptor: int for 32 bits and fewer, long for 64, void. */
    private static String descriptor(final String source, final String function) {
        final var pattern = Pattern.compile("class " + function
                + " \\{\\s*public static final FunctionDescriptor DESC = FunctionDescriptor\\.of(Void)?\\(([^;]*)\\);");
        final var matcher = pattern.matcher(source);
        if (!matcher.find()) {
            throw new AssertionError("no descriptor of " + function);
        }
        final var kinds = Arrays.stream(matcher.group(2).split(","))
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .map(SignatureTest::kind)
                .collect(Collectors.toList());
        if (matcher.group(1) != null) {
            kinds.addFirst("void");
        }
        return String.join(" ", kinds);
    }

    private static String kind(final String layout) {
        return switch (layout.replaceFirst("^\\w+_h\\.", "")) {
            case "C_POINTER", "C_LONG", "C_LONG_LONG" -> "long";
            case "C_INT", "C_SHORT", "C_CHAR" -> "int";
            // A struct by value comes as the address to copy it from.
            case "CUipcMemHandle_st.layout()", "CUipcEventHandle_st.layout()" -> "long";
            default -> throw new AssertionError("what is " + layout);
        };
    }

    private static String signature(final Method call, final int filledIn) {
        final var result = call.getReturnType() == String.class ? "long" : call.getReturnType().getName();
        final var tail = filledIn == 0 ? "" : " int long";
        return Stream.concat(Stream.of(result), Arrays.stream(call.getParameterTypes()).map(Class::getName))
                .collect(Collectors.joining(" ")) + tail;
    }
}
