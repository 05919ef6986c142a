package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.GidType;
import org.chagres.verbs.Mtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequestFailureTest {
    private static final PathEnd HERE = Ends.roce(3, "::ffff:10.0.0.1");
    private static final PathEnd THERE = Ends.roce(5, "::ffff:10.0.0.2");

    private static RequestFailure failure(final CompletionStatus status, final PathEnd here, final PathEnd there,
            final boolean answered) {
        final VerbsSettings settings = VerbsSettings.of(Map.of("NCCL_IB_TC", "106", "NCCL_IB_SL", "3"));
        return new RequestFailure(new Completion.Failure(7, 0x1a2, status, status.code(), 0x81),
                "RDMA write of 65536 bytes", here, there, 0xb3,
                PathAgreement.of(here, there), settings, answered);
    }

    private static List<String> causes(final RequestFailure failure) {
        return Causes.of(failure).stream().map(Cause::what).toList();
    }

    @ParameterizedTest
    @EnumSource(CompletionStatus.class)
    void everyStatusNamesBothEndsTheTimeoutAndACauseWithItsRemedy(final CompletionStatus status) {
        for (final boolean answered : new boolean[]{false, true }) {
            final String message = failure(status, HERE, THERE, answered).describe();
            for (final String part : List.of(
                    "RDMA write of 65536 bytes from rank 3 (host host3) to rank 5 (host host5) failed: "
                            + status.meaning(),
                    "(status " + status.code() + ", IBV_WC_" + status + ", vendor error 0x81)",
                    "rank 3 (host host3), mlx5_3:1, GID row 3 ::ffff:10.0.0.1 (RoCE v2), active MTU 4096, queue pair 0x1a2",
                    "rank 5 (host host5), mlx5_5:1, GID row 3 ::ffff:10.0.0.2 (RoCE v2), active MTU 4096, queue pair 0xb3",
                    "MTU 4096",
                    "4.096 us * 2^16 * (7 + 1) = 2.15 s", "traffic class 106", "service level 3", "1. ")) {
                assertTrue(message.contains(part), () -> part + " is missing in: " + message);
            }
        }
        for (final Cause cause : Causes.of(failure(status, HERE, THERE, false))) {
            assertTrue(!cause.what().isBlank() && !cause.remedy().isBlank());
        }
    }

    @Test
    void aPeerThatHasAnsweredIsGoneAndOneThatNeverDidIsOutOfReach() {
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR, HERE, THERE, true)).getFirst().contains("is gone"));
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR, HERE, THERE, false)).getFirst()
                .contains("UDP port 4791"));
        final PathEnd infiniBand = Ends.infiniBand(3, 11, "fe80::3");
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR, infiniBand, Ends.infiniBand(5, 12, "fe80::5"), false))
                .getFirst()
                .contains("LID 11 to LID 12"));
    }

    @Test
    void whatIsSuspiciousOfTheEndsComesFirstIfNothingEverWorked() {
        final PathEnd local = Ends.roce(5, "fe80::5");
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR, Ends.roce(3, "2001:db8::3"), local, false)).getFirst()
                .contains("link-local address fe80::5"));
        final PathEnd small = Ends.roce(5, "::ffff:10.0.0.2", GidType.ROCE_V2, Mtu.MTU_1024, 0);
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR, HERE, small, false)).getFirst()
                .contains("different MTUs, 4096 and 1024"));
        final PathEnd old = Ends.roce(5, "::ffff:10.0.0.2", GidType.ROCE_V1, Mtu.MTU_4096, 0);
        assertTrue(causes(failure(CompletionStatus.RETRY_EXC_ERR,
                Ends.roce(3, "::ffff:10.0.0.1", GidType.ROCE_V1, Mtu.MTU_4096, 0), old, true)).getLast()
                .contains("RoCE v1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"RNR_RETRY_EXC_ERR | receive queue was empty",
            "REM_ACCESS_ERR | its key is stale", "LOC_PROT_ERR | not registered any more",
            "WR_FLUSH_ERR | an earlier request", "REM_OP_ERR | failed first", "LOC_LEN_ERR | longer than the port",
            "REM_INV_REQ_ERR | does not allow the operation",
            "FATAL_ERR | its driver broke" })
    void eachStatusHasItsLikeliestCause(final CompletionStatus status, final String words) {
        assertTrue(causes(failure(status, HERE, THERE, true)).getFirst().contains(words));
    }

    @Test
    void aStatusThatNobodyKnowsIsToldByNumber() {
        final RequestFailure unknown = new RequestFailure(new Completion.Failure(7, 1, CompletionStatus.of(77), 77, 5),
                "RDMA write", HERE, THERE, 2,
                PathAgreement.of(HERE, THERE), VerbsSettings.DEFAULTS, true);
        assertTrue(unknown.describe().contains("(status 77, IBV_WC_UNKNOWN, vendor error 0x5)"), unknown.describe());
    }

    @Test
    void theTimeoutThatIsOfferedIsLongerAndWithinNcclsRange() {
        for (final int timeout : new int[]{1, 16, 21, 22 }) {
            final RequestFailure failure = new RequestFailure(
                    new Completion.Failure(7, 1, CompletionStatus.RETRY_EXC_ERR, 12, 0), "RDMA write", HERE, THERE,
                    2, PathAgreement.of(HERE, THERE),
                    VerbsSettings.of(Map.of("NCCL_IB_TIMEOUT", String.valueOf(timeout))), true);
            assertEquals(timeout < 22, failure.describe().contains("CHAGRES_IB_TIMEOUT=" + Math.min(22, timeout + 2)),
                    failure.describe());
        }
    }
}
